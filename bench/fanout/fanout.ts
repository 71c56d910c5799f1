// CPU seconds of the media worker per million RTP packets that it forwards to WHEP viewers. Measures the service and
// bare mediasoup by turns. Prints one JSON line.
//   npm run bench:fanout -- [viewers] [seconds a window] [processes of viewers]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApiClient } from '../../test/system/harness/api-client.js';
import { runningService } from '../running-service.js';
import { RtpPublisher } from './rtp-publisher.js';
import { ViewerGroup } from './viewer-group.js';
import { cpuSeconds } from '../process-usage.js';
import { pidOfUdpPort } from './udp-port-owner.js';

const [viewers = 60, seconds = 10, processes = 2] = process.argv.slice(2).map(Number);
/** Joining costs CPU too, and has ended by then. */
const settleMs = 2_000;

/** The playback of one window's viewers: it ends with the last of them. */
interface Target {
  url: string;
  token: string;
}

interface Window {
  cpuSecondsPerMillionPackets: number;
  packetsPerSecond: number;
  lossPercent: number;
}

const service = await runningService();
// A session of its own, as the service has: Linux shares the CPU between sessions first (sched(7), autogroup).
const bare = fork(fileURLToPath(new URL('bare-mediasoup.ts', import.meta.url)), { detached: true });
const publishers: RtpPublisher[] = [];
try {
  const [bareUrl] = (await once(bare, 'message')) as [string];
  const targets = { service: await throughService(), bare: await throughBare(bareUrl) };
  const windows = { service: [] as Window[], bare: [] as Window[] };
  // In the order A B B A, so that a drift of the machine meets both.
  for (const name of ['service', 'bare', 'bare', 'service'] as const)
    windows[name].push(await measure(await targets[name]()));
  const [own, reference] = [mean(windows.service), mean(windows.bare)];
  const ratio = round(own / reference);
  const cpuSecondsPerMillionPackets = { service: round(own), bare: round(reference) };
  console.log(JSON.stringify({ bench: 'fanout', viewers, seconds, ratio, cpuSecondsPerMillionPackets, windows }));
} finally {
  for (const publisher of publishers) publisher.close();
  bare.disconnect();
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
    return { url: playback.endpoint, token: playback.token };
  };
}

async function throughBare(address: string): Promise<() => Promise<Target>> {
  await publish(`${address}/whip`, 'none');
  return async () => ({ url: `${address}/whep`, token: 'none' });
}

async function publish(url: string, token: string): Promise<void> {
  const publisher = new RtpPublisher();
  publishers.push(publisher);
  await publisher.publish(url, token);
}

async function measure(target: Target): Promise<Window> {
  const group = await ViewerGroup.join({ ...target, viewers, processes });
  const worker = pidOfUdpPort(group.mediaPort);
  await pause(settleMs);
  const [cpu, at] = [cpuSeconds(worker), performance.now()];
  group.start();
  await pause(seconds * 1000);
  const used = cpuSeconds(worker) - cpu;
  const wall = (performance.now() - at) / 1000;
  const { received, expected } = await group.stop();
  await group.leave();
  return {
    cpuSecondsPerMillionPackets: round((used / received) * 1e6),
    packetsPerSecond: Math.round(received / wall),
    lossPercent: round((1 - received / expected) * 100),
  };
}

function mean(windows: Window[]): number {
  return windows.reduce((sum, window) => sum + window.cpuSecondsPerMillionPackets, 0) / windows.length;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
