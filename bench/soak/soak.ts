// Opens and closes sessions, viewers, members, broadcasts and recordings at random, and kills the media worker now
// and then. At the end none of them may be left. Prints one JSON line; exit code 1 when something leaked.
//   npm run soak -- [seconds] [seed] [scenes at once]
import { setTimeout as pause } from 'node:timers/promises';
import { SeededRandom, waitFor } from '@rtms/testing';
import { descendants } from '../../test/system/harness/processes.js';
import { startStack } from '../../test/system/harness/stack.js';
import { scenes } from './scenes.js';
import { leaksBetween, lookAt, residentMegabytes, type ServiceState } from './service-state.js';

const [seconds = 120, seed = 1, atOnce = 2] = process.argv.slice(2).map(Number);
const secondsBetweenDeaths = { least: 20, most: 40 };
const settleTimeoutMs = 90_000;
/** Memory counts as flat below this: V8 grows its heap for a while before it collects. */
const flatMegabytes = 60;
const flatShare = 1.4;

const env = {
  GRACE_SECONDS: '3',
  TOKEN_TTL_SECONDS: '10',
  RECONCILE_SECONDS: '2',
  LIMIT_ACTIVE_ROOMS: '100000',
  RATE_LIMIT_KEY_WRITES: '0',
  RATE_LIMIT_ADDRESS_WRITES: '0',
  RATE_LIMIT_ADDRESS_HANDSHAKES: '0',
};
const stack = await startStack({ env, dedicatedPostgres: true });
const random = new SeededRandom(seed);
const counts: Record<string, { played: number; disturbed: number }> = {};
const disturbances = new Map<string, number>();
let workerDeaths = 0;
let exitCode: number;
try {
  // Resources that stay open, such as pools of connections, are no leak.
  for (const name of Object.keys(scenes)) await play(name);
  await settle(({ files, held, rows }) => files.length + held.length + rows.length === 0);
  const [before, memoryBefore] = [await lookAt(stack), residentMegabytes(stack)];
  const end = Date.now() + seconds * 1000;
  await Promise.all([killWorkers(end), ...Array.from({ length: atOnce }, () => playUntil(end))]);
  await settle(state => leaksBetween(before, state).length === 0);
  const memoryAfter = residentMegabytes(stack);
  const leaks = [...leaksBetween(before, await lookAt(stack)), ...growth(memoryBefore, memoryAfter)];
  const memoryMegabytes = { before: memoryBefore, after: memoryAfter };
  const report = { bench: 'soak', seconds, seed, workerDeaths, scenes: counts, memoryMegabytes, leaks };
  console.log(JSON.stringify({ ...report, disturbances: Object.fromEntries(disturbances) }));
  exitCode = leaks.length > 0 ? 1 : 0;
} finally {
  await stack.close();
}
process.exit(exitCode);

async function playUntil(end: number): Promise<void> {
  while (Date.now() < end) await play(random.pick(Object.keys(scenes)));
}

/** A worker's death ends a scene early; its room ends in any case. */
async function play(name: string): Promise<void> {
  const count = (counts[name] ??= { played: 0, disturbed: 0 });
  const meetingID = await stack.api.createRoom();
  try {
    await scenes[name]?.({ api: stack.api, random }, meetingID);
  } catch (error) {
    count.disturbed++;
    const message = `${name}: ${String(error).slice(0, 160)}`.replace(/[a-z]+_[\w-]{10,}/g, '<id>');
    disturbances.set(message, (disturbances.get(message) ?? 0) + 1);
  }
  await stack.api.call('POST', '/v1/rooms', { action: 'end', meetingID });
  count.played++;
}

async function killWorkers(end: number): Promise<void> {
  const { least, most } = secondsBetweenDeaths;
  for (;;) {
    const next = Math.min(random.between(least, most) * 1000, seconds * 500);
    if (Date.now() + next > end) return;
    await pause(next);
    const worker = descendants(stack.sfu.pid).find(({ command }) => command.includes('mediasoup-worker'));
    if (!worker) continue;
    process.kill(worker.pid, 'SIGKILL');
    workerDeaths++;
  }
}

/** Waits until resources end by themselves. The comparison afterwards finds the others. */
async function settle(isSettled: (state: ServiceState) => boolean): Promise<void> {
  const looked = async (): Promise<boolean> => isSettled(await lookAt(stack));
  await waitFor(looked, { timeoutMs: settleTimeoutMs, what: 'everything to be gone' }).catch(() => undefined);
}

function growth(before: Record<string, number>, after: Record<string, number>): string[] {
  return Object.entries(after).flatMap(([name, now]) => {
    const then = before[name] ?? 0;
    return now > then * flatShare + flatMegabytes ? [`memory of ${name}: ${then} MB before, ${now} MB now`] : [];
  });
}
