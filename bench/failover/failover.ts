/**
 * Measures how long a gateway takes to move all sessions and playbacks of a restarted media node. Measures the
 * latency of requests meanwhile. `npm run bench:failover -- [sessions]` after `npm run build`; prints one JSON line.
 * Starts
 * PostgreSQL, NATS and a gateway of its own; all share the machine with the bench and the nodes that it plays.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { NatsBus } from '@rtms/bus';
import pg from 'pg';
import { FakeSfu } from '../../apps/gateway/src/testing/fake-sfu.js';
import { startGateway, type RunningGateway } from '../api/gateway-process.js';
import { prepareRequests } from '../api/measured-requests.js';
import { topFunctions } from '../api/top-functions.js';
import { startPart } from '../bench-process.js';
import { LoopMeter, type LoopMeasures } from '../loop-meter.js';
import { fillMedia } from '../media-rows.js';
import type { RequestTask, RequestTimes } from './request-process.js';

const [countText = '4000', profileFolder] = process.argv.slice(2);
const count = Number(countText);
const nodeCount = 4;
const aim = { p99Ms: 250, rehomedWithinMs: 10_000 };
/** A request of each kind is sent this often. */
const requestEveryMs = 50;
const quietMs = 5_000;
const giveUpAfterMs = 300_000;

const requestProgram = new URL('request-process.ts', import.meta.url);

/** Whether the rows and the nodes agree about the place of every resource. */
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
  const task: RequestTask = { url: gateway.url, requests: [readSettings, createRoom], everyMs: requestEveryMs };
  const askSteadily = () => startPart<RequestTimes>(requestProgram, task);
  await fillMedia(gateway, [victim], { count, sessions: 'active', playbacks: 'active' });
  const askingBefore = await askSteadily();
  await new Promise(resolve => setTimeout(resolve, quietMs));
  const before = await askingBefore.stop();
  const formerEpoch = victim.epoch;
  const askingMeanwhile = await askSteadily();
  await meter.read(gateway);
  const ownLoop = monitorEventLoopDelay({ resolution: 2 });
  ownLoop.enable();
  const from = process.hrtime.bigint();
  const rehoming = untilHome(database, nodes, formerEpoch);
  await victim.restart();
  const rehomedMs = await rehoming;
  const period: [bigint, bigint] = [from, process.hrtime.bigint()];
  const { longestPauseMs, longestCpuMs, cpuMs } = rounded(await meter.read(gateway));
  const meanwhile = await askingMeanwhile.stop();
  const nodesPauseMs = Math.round(ownLoop.max / 1e6);
  const gatewayLoop = { longestPauseMs, longestCpuMs, cpuMs };
  return { period, measured: { before, meanwhile, rehomedMs, gateway: gatewayLoop, nodesPauseMs } };
}

function rounded({ longestPauseMs, longestCpuMs, cpuMs, wallMs }: LoopMeasures): LoopMeasures {
  const round = (value: number) => Math.round(value * 10) / 10;
  return {
    ...{ longestPauseMs: round(longestPauseMs), longestCpuMs: round(longestCpuMs) },
    ...{ cpuMs: round(cpuMs), wallMs: round(wallMs) },
  };
}

/** The bench reports nothing. */
const taken = () => Promise.resolve();
const meter = await LoopMeter.open();
const profiling = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
const gateway = await startGateway([...meter.options, ...profiling], { LOG_LEVEL: 'error' });
const database = new pg.Client({ connectionString: gateway.databaseUrl, query_timeout: giveUpAfterMs });
try {
  await database.connect();
  const bus = await NatsBus.connect({ ...gateway.busUser('sfu'), name: 'bench' });
  try {
    const nodes = Array.from({ length: nodeCount }, (_, index) => new FakeSfu(bus, `sfu-${index + 1}`, { taken }));
    for (const node of nodes) Object.assign(node, { capacity: 10 * count });
    for (const node of nodes) await node.start();
    const { measured, period } = await measure(gateway, database, nodes);
    const met = measured.meanwhile.p99Ms <= aim.p99Ms && measured.rehomedMs <= aim.rehomedWithinMs;
    await Promise.all(nodes.map(node => node.die()));
    await gateway.stop(); // with its profile
    const top = profileFolder === undefined ? undefined : await topFunctions(profileFolder, period, 25);
    console.log(JSON.stringify({ bench: 'failover', sessions: count, nodes: nodeCount, ...measured, aim, met, top }));
  } finally {
    await bus.close();
  }
} finally {
  await database.end();
  await gateway.close();
  await meter.close();
}
