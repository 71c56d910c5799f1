// CPU seconds per million RTP packets that go to WHEP viewers. Measures the service and bare mediasoup by turns, and SRS
// if SRS_BIN names its program. Prints one JSON line.
//   [SRS_BIN=…/srs] npm run bench:fanout -- [viewers] [seconds a window] [processes of viewers]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApiClient } from '../../test/system/harness/api-client.js';
import { runningService } from '../running-service.js';
import { RtpPublisher } from './rtp-publisher.js';
import { SrsProcess } from './srs-process.js';
import { ViewerGroup } from './viewer-group.js';
import { cpuSeconds, readProcFile } from '../process-usage.js';
import { pidOfUdpPort } from './udp-port-owner.js';

const [viewers = 60, seconds = 10, processes = 2] = process.argv.slice(2).map(Number);
/** Joining costs CPU too, and has ended by then. */
const settleMs = 2_000;

/** SRS forwards no VP8, so all get H264. */
const codec = 'H264';

/** The playback of one window's viewers: it ends with the last of them. */
interface Target {
  url: string;
  token: string;
  /** Processes of the server that its viewers' packets come from. The first is the one that sends. */
  pids(mediaPort: number): number[];
}

interface Window {
  cpuSecondsPerMillionPackets: number;
  /** With the Node.js process that controls the media worker. SRS has one process. */
  withNodeProcess: number;
  packetsPerSecond: number;
  lossPercent: number;
}

const service = await runningService();
// A session of its own, as the service has: Linux shares the CPU between sessions first (sched(7), autogroup).
const bare = fork(fileURLToPath(new URL('bare-mediasoup.ts', import.meta.url)), { detached: true });
const srsProgram = process.env['SRS_BIN'];
const publishers: RtpPublisher[] = [];
let srs: SrsProcess | undefined;
try {
  const [bareUrl] = (await once(bare, 'message')) as [string];
  const targets: Record<string, () => Promise<Target>> = {
    service: await throughService(),
    bare: await throughBare(bareUrl),
  };
  if (srsProgram) {
    srs = await SrsProcess.start(srsProgram);
    targets['srs'] = await throughSrs(srs);
  }
  const names = Object.keys(targets);
  const windows: Record<string, Window[]> = {};
  // In the order A B B A, so that a drift of the machine meets all.
  for (const name of [...names, ...names.toReversed()]) {
    const target = await targets[name]?.();
    if (target) (windows[name] ??= []).push(await measure(target));
  }
  const cpuSecondsPerMillionPackets = means(windows, 'cpuSecondsPerMillionPackets');
  const withNodeProcess = means(windows, 'withNodeProcess');
  const ratio = round((cpuSecondsPerMillionPackets['service'] ?? 0) / (cpuSecondsPerMillionPackets['bare'] ?? 0));
  const ratioToSrs = srs && round((withNodeProcess['service'] ?? 0) / (withNodeProcess['srs'] ?? 0));
  const figures = { ratio, ratioToSrs, cpuSecondsPerMillionPackets, withNodeProcess, windows };
  console.log(JSON.stringify({ bench: 'fanout', viewers, seconds, ...figures }));
} finally {
  for (const publisher of publishers) publisher.close();
  bare.disconnect();
  await srs?.close();
  await service.close();
}
process.exit();

async function throughService(): Promise<() => Promise<Target>> {
  const api = new ApiClient(service.gateway, `${service.apiUserName}:${service.apiKey}`);
  const meetingID = await api.createRoom();
  const session = await api.openSession(meetingID, ['audio', 'video']);
  await publish(session.ingest.url, session.ingest.token);
  await api.sessionBecomes(meetingID, session.sessionID, 'active');
  return async () => {
    const playback = await api.openPlayback(meetingID, session.sessionID);
    return { url: playback.endpoint, token: playback.token, pids: workerAndParent };
  };
}

async function throughBare(address: string): Promise<() => Promise<Target>> {
  await publish(`${address}/whip`, 'none');
  return () => Promise.resolve({ url: `${address}/whep`, token: 'none', pids: workerAndParent });
}

async function throughSrs(server: SrsProcess): Promise<() => Promise<Target>> {
  await publish(server.url('whip'), 'none');
  return () => Promise.resolve({ url: server.url('whep'), token: 'none', pids: () => [server.pid] });
}

function workerAndParent(mediaPort: number): number[] {
  const worker = pidOfUdpPort(mediaPort);
  return [worker, Number(/^PPid:\s+(\d+)$/m.exec(readProcFile(worker, 'status'))?.[1])];
}

async function publish(url: string, token: string): Promise<void> {
  const publisher = new RtpPublisher(undefined, codec);
  publishers.push(publisher);
  await publisher.publish(url, token);
}

async function measure(target: Target): Promise<Window> {
  const { url, token } = target;
  const group = await ViewerGroup.join({ url, token, viewers, processes, codec });
  const pids = target.pids(group.mediaPort);
  await pause(settleMs);
  const [before, at] = [pids.map(cpuSeconds), performance.now()];
  group.start();
  await pause(seconds * 1000);
  const used = pids.map((pid, index) => cpuSeconds(pid) - (before[index] ?? 0));
  const wall = (performance.now() - at) / 1000;
  const { received, expected } = await group.stop();
  await group.leave();
  const aMillion = (cpu: number): number => round((cpu / received) * 1e6);
  return {
    cpuSecondsPerMillionPackets: aMillion(used[0] ?? 0),
    withNodeProcess: aMillion(used.reduce((sum, each) => sum + each, 0)),
    packetsPerSecond: Math.round(received / wall),
    lossPercent: round((1 - received / expected) * 100),
  };
}

/** The mean of a figure over the windows of each server. */
function means(
  windows: Record<string, Window[]>,
  figure: 'cpuSecondsPerMillionPackets' | 'withNodeProcess',
): Record<string, number> {
  const mean = (all: Window[]): number => round(all.reduce((sum, each) => sum + each[figure], 0) / all.length);
  return Object.fromEntries(Object.entries(windows).map(([name, all]) => [name, mean(all)]));
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
