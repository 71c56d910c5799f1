/**
 * Measures the events of media nodes that a gateway applies in a second, and the time until a new session is active
 * while viewers join. `npm run bench:events -- [viewers] [sessions]` after `npm run build`; prints one JSON line.
 * Starts PostgreSQL,
 * NATS and a gateway of its own; all share the machine with the bench.
 */
import { NatsBus } from '@rtms/bus';
import pg from 'pg';
import { FakeSfu, videoTrack } from '../../apps/gateway/src/testing/fake-sfu.js';
import { startGateway, type RunningGateway } from '../api/gateway-process.js';
import { fillMedia, type PlacedPlayback } from '../media-rows.js';
import { percentile } from '../percentile.js';
import { cpuSeconds } from '../process-usage.js';

const [viewers = 5_000, sessions = 1_000] = process.argv.slice(2).map(Number);
const probes = 20;
const aim = { eventsPerSecond: 2_000, activeWithinMs: 500 };
const publishedAtOnce = 200;
const giveUpAfterMs = 300_000;

/** Calls `act` for the items, at most this many at a time. */
async function onEach<Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < items.length; from += publishedAtOnce) {
    await Promise.all(items.slice(from, from + publishedAtOnce).map(act));
  }
}

/** Resolves when the query answers true. */
async function until(database: pg.Client, query: string, parameters: unknown[], lookMs: number): Promise<void> {
  const end = performance.now() + giveUpAfterMs;
  while (performance.now() < end) {
    const { rows } = await database.query<{ done: boolean }>(query, parameters);
    if (rows[0]?.done === true) return;
    await new Promise(resolve => setTimeout(resolve, lookMs));
  }
  throw new Error(`not so after ${giveUpAfterMs} ms: ${query}`);
}

/** Stops the gateway's process while the events are reported, so that only their application is measured. */
async function drain(
  { pid }: RunningGateway,
  ids: readonly string[],
  { report, applied }: { report: (id: string) => Promise<unknown>; applied: () => Promise<void> },
) {
  process.kill(pid, 'SIGSTOP');
  await onEach(ids, report).finally(() => process.kill(pid, 'SIGCONT'));
  const [begun, cpu] = [performance.now(), cpuSeconds(pid)];
  await applied();
  const seconds = (performance.now() - begun) / 1000;
  const cpuMsEach = Math.round(((cpuSeconds(pid) - cpu) * 1e5) / ids.length) / 100;
  return { events: ids.length, eventsPerSecond: Math.round(ids.length / seconds), cpuMsEach };
}

const join = (sfu: FakeSfu, viewerCount: number) => (id: string) =>
  sfu.publish(id, { type: 'playback.active', viewerCount });
const publish = (sfu: FakeSfu) => (id: string) => {
  const session = sfu.sessions.get(id);
  if (session) session.state = 'active';
  return sfu.publish(id, { type: 'external_session.active', tracks: [videoTrack] });
};

/** Milliseconds from the report to the row, of sessions that become active one by one while viewers join. */
async function activateMeanwhile(
  database: pg.Client,
  sfu: FakeSfu,
  { playbacks, sessionIDs }: { playbacks: readonly string[]; sessionIDs: readonly string[] },
) {
  const times: number[] = [];
  const joining = onEach(playbacks, join(sfu, 2));
  for (const id of sessionIDs) {
    const begun = performance.now();
    await publish(sfu)(id);
    await until(database, `SELECT state = 'active' AS done FROM external_sessions WHERE id = $1`, [id], 5);
    times.push(performance.now() - begun);
  }
  await joining;
  return { p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95), maxMs: percentile(times, 1) };
}

async function measure(gateway: RunningGateway, database: pg.Client, sfu: FakeSfu, placed: readonly PlacedPlayback[]) {
  const playbacks = placed.map(({ id }) => id);
  const all = placed.map(({ sessionID }) => sessionID);
  const countAt = (count: number) => () =>
    until(database, 'SELECT bool_and(viewer_count = $1) AS done FROM playbacks', [count], 20);
  const viewersJoin = await drain(gateway, playbacks, { report: join(sfu, 1), applied: countAt(1) });
  const sessionsBegin = await drain(gateway, all.slice(probes, probes + sessions), {
    report: publish(sfu),
    applied: () =>
      until(database, `SELECT count(*) = $1 AS done FROM external_sessions WHERE state = 'active'`, [sessions], 20),
  });
  const newSession = await activateMeanwhile(database, sfu, { playbacks, sessionIDs: all.slice(0, probes) });
  await countAt(2)();
  return { viewersJoin, sessionsBegin, newSession };
}

const gateway = await startGateway([], { LOG_LEVEL: 'warn' });
const database = new pg.Client({ connectionString: gateway.databaseUrl });
try {
  await database.connect();
  const bus = await NatsBus.connect({ ...gateway.busUser('sfu'), name: 'bench' });
  try {
    const sfu = new FakeSfu(bus, 'sfu-1', { taken: () => Promise.resolve() });
    sfu.capacity = 1_000_000;
    await sfu.start();
    const count = Math.max(viewers, sessions + probes);
    const placed = await fillMedia(gateway, [sfu], { count, sessions: 'pending', playbacks: 'ready' });
    const measured = await measure(gateway, database, sfu, placed);
    const { viewersJoin, newSession } = measured;
    const met = viewersJoin.eventsPerSecond >= aim.eventsPerSecond && newSession.maxMs <= aim.activeWithinMs;
    console.log(JSON.stringify({ bench: 'events', ...measured, aim, met }));
    await sfu.die();
  } finally {
    await bus.close();
  }
} finally {
  await database.end();
  await gateway.close();
}
