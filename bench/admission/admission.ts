// Adds WHEP viewers one after the other until the SFU refuses one for good. Counts the packets that the viewers lost until 5 s
// later. Prints one JSON line. A refusal is for good if the SFU repeats it: during a fast ramp it refuses until it has measured
// the last viewers. Measures the worker's CPU time of a join first.
//   npm run bench:admission -- [Mbit/s of the sources, as 0.6,2.5,6] [WORKER_CPU_LIMIT] [processes of viewers]
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startStack } from '../../test/system/harness/stack.js';
import type { Playback } from '../../test/system/harness/api-client.js';
import { RtpPublisher } from '../fanout/rtp-publisher.js';
import { measureJoins } from './join-cost.js';
import type { RampReport } from './ramp-process.js';

const [rates = '0.6,2.5,6', cpuLimit = '0.8', processes = '2'] = process.argv.slice(2);
const program = fileURLToPath(new URL('ramp-process.ts', import.meta.url));
/** 1,100 bytes a packet, 30 frames a second. */
const packetsOf = (megabits: number): number => Math.max(1, Math.round((megabits * 1e6) / (8 * 1_100 * 30)));
const joinEveryMs = 150;
const holdMs = 5_000;
const retries = { times: 3, everyMs: 4_000 };
/** Above what one core can serve. */
const mostViewers = 1_000;

const stack = await startStack({
  dedicatedPostgres: true,
  env: {
    ...{ RATE_LIMIT_ADDRESS_READS: '0', RATE_LIMIT_ADDRESS_WRITES: '0', MAX_CONNECTIONS_PER_ADDRESS: '0' },
    ...{ SFU_WORKERS: '1', WORKER_CPU_LIMIT: cpuLimit },
  },
});
try {
  const joinCpuMs = await measureJoins(stack);
  const ramps: Record<string, unknown> = {};
  for (const megabits of rates.split(',')) ramps[megabits] = await ramp(Number(megabits));
  console.log(JSON.stringify({ bench: 'admission', cpuLimit: Number(cpuLimit), joinCpuMs, ramps }));
} finally {
  await stack.close();
}
process.exit();

async function ramp(megabits: number): Promise<object> {
  const meetingID = await stack.api.createRoom();
  const { sessionID, ingest } = await stack.api.openSession(meetingID, ['audio', 'video']);
  const publisher = new RtpPublisher(packetsOf(megabits));
  const children: ChildProcess[] = [];
  try {
    await publisher.publish(ingest.url, ingest.token);
    await stack.api.sessionBecomes(meetingID, sessionID, 'active');
    const playback = await stack.api.openPlayback(meetingID, sessionID);
    for (let count = 0; count < Number(processes); count++) children.push(await startProcess(playback));
    const { viewers, refusal } = await joinUntilRefused(children);
    const atRefusal = await utilization();
    await pause(holdMs);
    const counts = await Promise.all(children.map(child => ask(child, 'count')));
    const sum = (key: 'received' | 'expected' | 'unread'): number =>
      counts.reduce((total, each) => total + (each[key] ?? 0), 0);
    const [received, expected] = [sum('received'), sum('expected')];
    return {
      viewers,
      refusal,
      utilization: { atRefusal, after: await utilization() },
      received,
      lost: expected - received,
      unread: sum('unread'),
    };
  } finally {
    for (const child of children) child.kill();
    publisher.close();
    await stack.api.call('POST', '/v1/rooms', { action: 'end', meetingID });
    // The load of the last ramp must not refuse viewers of the next one.
    await pause(2 * holdMs);
  }
}

async function joinUntilRefused(children: ChildProcess[]): Promise<{ viewers: number; refusal: string }> {
  let [viewers, failures, refusal] = [0, 0, ''];
  while (viewers < mostViewers && failures <= retries.times) {
    const { refused } = await ask(children[viewers % children.length]!, 'join');
    if (refused === undefined) viewers += 1;
    refusal = refused ?? refusal;
    failures = refused === undefined ? 0 : failures + 1;
    await pause(refused === undefined ? joinEveryMs : retries.everyMs);
  }
  return { viewers, refusal };
}

function utilization(): Promise<number> {
  return stack.sfu.metric('rtms_sfu_worker_utilization', { worker: '0' });
}

async function startProcess({ endpoint, token }: Playback): Promise<ChildProcess> {
  const child = fork(program, [endpoint, token]);
  await once(child, 'message');
  return child;
}

async function ask(child: ChildProcess, command: 'join' | 'count'): Promise<RampReport> {
  child.send(command);
  return ((await once(child, 'message')) as [RampReport])[0];
}
