/**
 * How long a gateway takes to bring all sessions and playbacks of a media node that restarted to living nodes, and how soon it
 * answers requests meanwhile. `npm run bench:failover -- [sessions]` after `npm run build`; prints one JSON line. Starts
 * PostgreSQL, NATS and a gateway of its own; all share the machine with the bench and the nodes that it plays.
 */
import { NatsBus } from '@rtms/bus';
import pg from 'pg';
import { FakeSfu } from '../../apps/gateway/src/testing/fake-sfu.js';
import { startGateway, type RunningGateway } from '../api/gateway-process.js';
import { prepareRequests, type MeasuredRequest } from '../api/measured-requests.js';
import { fillMedia } from '../media-rows.js';
import { percentile } from '../percentile.js';

const [count = 4_000] = process.argv.slice(2).map(Number);
const nodeCount = 4;
const aim = { p99Ms: 250, rehomedWithinMs: 10_000 };
/** A request of each kind is sent this often. */
const everyMs = 50;
const quietMs = 5_000;
const giveUpAfterMs = 300_000;

/** Sends requests at a steady pace until it is stopped; answers how long they took and how many failed. */
function askSteadily({ url }: RunningGateway, requests: readonly MeasuredRequest[]) {
  const times: number[] = [];
  let failures = 0;
  const open = new Set<Promise<void>>();
  const ask = async ({ method, path, headers, body }: MeasuredRequest): Promise<void> => {
    const begun = performance.now();
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) }).catch(
      () => undefined,
    );
    await answer?.arrayBuffer();
    times.push(performance.now() - begun);
    if (!answer?.ok) failures += 1;
  };
  const timer = setInterval(() => {
    for (const request of requests) {
      const asking = ask(request).finally(() => open.delete(asking));
      open.add(asking);
    }
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await Promise.all(open);
    const [p50Ms, p99Ms, maxMs] = [0.5, 0.99, 1].map(share => percentile(times, share));
    return { requests: times.length, failures, p50Ms, p99Ms, maxMs };
  };
}

/** Whether rows and nodes agree that everything has a home. */
async function areHome(database: pg.Client, nodes: readonly FakeSfu[], formerEpoch: number): Promise<boolean> {
  const held = (name: 'sessions' | 'playbacks') => nodes.reduce((sum, node) => sum + node[name].size, 0);
  if (held('sessions') < count || held('playbacks') < count) return false;
  const homeless = ['external_sessions', 'playbacks']
    .map(
      table => `SELECT 1 FROM ${table} WHERE state NOT IN ('ended', 'failed')
        AND (node_epoch IS NULL OR node_id = 'sfu-1' AND node_epoch = $1)`,
    )
    .join(' UNION ALL ');
  return (await database.query(`${homeless} LIMIT 1`, [formerEpoch])).rowCount === 0;
}

async function untilHome(database: pg.Client, nodes: readonly FakeSfu[], formerEpoch: number): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < giveUpAfterMs) {
    if (await areHome(database, nodes, formerEpoch)) return Math.round(performance.now() - begun);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  throw new Error(`not all sessions are home after ${giveUpAfterMs} ms`);
}

async function measure(gateway: RunningGateway, database: pg.Client, nodes: readonly FakeSfu[]) {
  const [victim] = nodes;
  if (!victim) throw new Error('at least one node is needed');
  const { readSettings, createRoom } = await prepareRequests(gateway);
  await fillMedia(gateway, [victim], { count, sessions: 'active', playbacks: 'active' });
  const stopBefore = askSteadily(gateway, [readSettings, createRoom]);
  await new Promise(resolve => setTimeout(resolve, quietMs));
  const before = await stopBefore();
  const formerEpoch = victim.epoch;
  const stopMeanwhile = askSteadily(gateway, [readSettings, createRoom]);
  const rehoming = untilHome(database, nodes, formerEpoch);
  await victim.restart();
  const rehomedMs = await rehoming;
  return { before, meanwhile: await stopMeanwhile(), rehomedMs };
}

/** The bench reports nothing. */
const taken = () => Promise.resolve();
const gateway = await startGateway([], { LOG_LEVEL: 'error' });
const database = new pg.Client({ connectionString: gateway.databaseUrl });
try {
  await database.connect();
  const bus = await NatsBus.connect({ ...gateway.busUser('sfu'), name: 'bench' });
  try {
    const nodes = Array.from({ length: nodeCount }, (_, index) => new FakeSfu(bus, `sfu-${index + 1}`, { taken }));
    for (const node of nodes) Object.assign(node, { capacity: 10 * count });
    for (const node of nodes) await node.start();
    const measured = await measure(gateway, database, nodes);
    const met = (measured.meanwhile.p99Ms ?? NaN) <= aim.p99Ms && measured.rehomedMs <= aim.rehomedWithinMs;
    console.log(JSON.stringify({ bench: 'failover', sessions: count, nodes: nodeCount, ...measured, aim, met }));
    await Promise.all(nodes.map(node => node.die()));
  } finally {
    await bus.close();
  }
} finally {
  await database.end();
  await gateway.close();
}
