// Measures an idle room, publisher and viewer: resident memory and CPU of each process of the service. Bare
// mediasoup's worker serves the same publishers and viewers. They send silence, 50 packets a second, since a silent
// publisher counts as lost. Prints one JSON line. After `npm run build`.
//   npm run bench:density -- [rooms] [publishers] [viewers] [seconds a window]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { descendants } from '../../test/system/harness/processes.js';
import { startStack } from '../../test/system/harness/stack.js';
import { Viewer } from '../fanout/viewer.js';
import { cpuSeconds, residentKilobytes } from '../process-usage.js';
import { OpusPublisher } from '../signalling/opus-publisher.js';

interface Usage {
  kilobytes: number;
  cpuMsPerSecond: number;
}

type Processes = Record<string, number>;

const [rooms = 1_000, publishers = 60, viewers = 120, seconds = 10] = process.argv.slice(2).map(Number);
/** Joining costs CPU too, and has ended by then. */
const settleMs = 3_000;
const env = {
  LIMIT_ACTIVE_ROOMS: '100000',
  LIMIT_SESSIONS_PER_ROOM: '1000',
  RATE_LIMIT_KEY_WRITES: '0',
  RATE_LIMIT_ADDRESS_WRITES: '0',
  CONSUMERS_PER_WORKER: '2000',
};

const stack = await startStack({ env, dedicatedPostgres: true });
// A session of its own, as the service has: Linux shares the CPU between sessions first (sched(7), autogroup).
const bare = fork(fileURLToPath(new URL('../fanout/bare-mediasoup.ts', import.meta.url)), { detached: true });
const peers: { close(): Promise<void> }[] = [];
try {
  const [bareUrl] = (await once(bare, 'message')) as [string];
  const service: Processes = { gateway: stack.gateway.pid, sfu: stack.sfu.pid, worker: workerOf(stack.sfu.pid) };
  const room = await added(service, rooms, () => stack.api.createRoom());
  const meetingID = await stack.api.createRoom();
  const publisher = await added(service, publishers, () => publish(meetingID));
  const viewer = await added(service, viewers, await watching(meetingID));
  const bareWorker = { worker: workerOf(bare.pid ?? 0) };
  const barePublisher = await added(bareWorker, publishers, () => open(new OpusPublisher(`${bareUrl}/whip`, 'none')));
  const bareViewer = await added(bareWorker, viewers, () => watch(`${bareUrl}/whep`, 'none'));
  const each = { room, publisher, viewer };
  const report = { bench: 'density', counts: { rooms, publishers, viewers }, seconds, each };
  console.log(JSON.stringify({ ...report, bare: { publisher: barePublisher, viewer: bareViewer } }));
} finally {
  await Promise.allSettled(peers.map(peer => peer.close()));
  bare.disconnect();
  await stack.close();
}
process.exit();

/** The additional memory and CPU of each process for each of the `count` items that `add` creates. */
async function added(processes: Processes, count: number, add: () => Promise<unknown>): Promise<Record<string, Usage>> {
  const before = await usage(processes);
  for (let index = 0; index < count; index++) await add();
  const now = await usage(processes);
  return Object.fromEntries(
    Object.keys(processes).map(name => {
      const share = (key: keyof Usage): number => (now[name]![key] - before[name]![key]) / count;
      return [name, { kilobytes: Math.round(share('kilobytes')), cpuMsPerSecond: round(share('cpuMsPerSecond')) }];
    }),
  );
}

async function usage(processes: Processes): Promise<Record<string, Usage>> {
  await pause(settleMs);
  const names = Object.keys(processes);
  const [before, at] = [names.map(name => cpuSeconds(processes[name]!)), performance.now()];
  await pause(seconds * 1000);
  const wall = (performance.now() - at) / 1000;
  const entries = names.map((name, index) => {
    const used = cpuSeconds(processes[name]!) - before[index]!;
    return [name, { kilobytes: residentKilobytes(processes[name]!), cpuMsPerSecond: (used * 1000) / wall }] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns the session's id. */
async function publish(meetingID: string): Promise<string> {
  const { sessionID, ingest } = await stack.api.openSession(meetingID, ['audio']);
  await open(new OpusPublisher(ingest.url, ingest.token));
  await stack.api.sessionBecomes(meetingID, sessionID, 'active');
  return sessionID;
}

async function watching(meetingID: string): Promise<() => Promise<void>> {
  const sessionID = await publish(meetingID);
  const { endpoint, token } = await stack.api.openPlayback(meetingID, sessionID, ['audio']);
  return () => watch(endpoint, token);
}

function watch(url: string, token: string): Promise<void> {
  return open(new Viewer(url, token, `viewer ${peers.length}`, { kinds: ['audio'] }));
}

async function open(peer: { connect(): Promise<unknown>; close(): Promise<void> }): Promise<void> {
  peers.push(peer);
  await peer.connect();
}

function workerOf(pid: number): number {
  const worker = descendants(pid).find(({ command }) => command.includes('mediasoup-worker'));
  if (!worker) throw new Error('There is no media worker.');
  return worker.pid;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
