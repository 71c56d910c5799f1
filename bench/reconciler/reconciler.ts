/**
 * The gateway's CPU for a round of the reconciler, and how long the event loop stands still, with many sessions and
 * playbacks on nodes that hold exactly these. `npm run bench:reconciler -- [sessions] [nodes] [rounds]` after
 * `npm run build`; prints one JSON line. Starts PostgreSQL, NATS and a gateway of its own; needs Linux.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NatsBus } from '@rtms/bus';
import { waitFor } from '@rtms/testing';
import pg from 'pg';
import { FakeSfu } from '../../apps/gateway/src/testing/fake-sfu.js';
import { startGateway, type RunningGateway } from '../api/gateway-process.js';
import { makeAccount } from '../pages/fill-account.js';

const [count = 10_000, nodeCount = 20, rounds = 8] = process.argv.slice(2).map(Number);
const intervalSeconds = 2;
const aim = { cpuMs: 150, pauseMs: 20 };

interface Measures {
  /** Wall time; on a busy machine also the time in which the gateway waited for a core. */
  longestPauseMs: number;
  /** CPU of the main thread between two turns of the event loop, in which a timer is due every 2 ms. */
  longestCpuMs: number;
  cpuMs: number;
  wallMs: number;
}

/** Ids as long and as random as the service's own. */
const idOf = (prefix: string) => `'${prefix}_' || substr(md5('${prefix}' || n) || md5('more' || n), 1, 26)`;

/** One session and one playback in each room, spread evenly over the nodes. */
const fillStatements = [
  `INSERT INTO rooms (id, account_id, event_type, state, key_type, host_name, duration, capacity, settings, expires_at)
   SELECT ${idOf('room')}, $1, 'conference', 'active', 'sandbox', 'Ann', 60, 20, '{}', timestamptz '2099-01-01'
   FROM generate_series(1, $2::int) AS n, (SELECT $3::text[], $4::bigint) AS unused`,
  `INSERT INTO external_sessions (id, account_id, meeting_id, node_id, node_epoch, participant_id, display_name, protocol,
     requested_tracks, state)
   SELECT ${idOf('ext')}, $1, ${idOf('room')}, ($3::text[])[1 + n % cardinality($3::text[])], $4, 'part_1', 'Camera', 'whip',
     '["video","audio"]', 'active'
   FROM generate_series(1, $2::int) AS n`,
  `INSERT INTO playbacks (id, account_id, meeting_id, node_id, node_epoch, source_session_id, tracks, state)
   SELECT ${idOf('play')}, $1, ${idOf('room')}, ($3::text[])[1 + n % cardinality($3::text[])], $4, ${idOf('ext')}, '["video"]', 'active'
   FROM generate_series(1, $2::int) AS n`,
];

async function fill(gateway: RunningGateway, nodes: readonly FakeSfu[]): Promise<void> {
  const { accountID } = await makeAccount(gateway);
  const database = new pg.Client({ connectionString: gateway.databaseUrl });
  await database.connect();
  try {
    await database.query(`SET session_replication_role = 'replica'`);
    const parameters = [accountID, count, nodes.map(node => node.nodeID), nodes[0]?.epoch];
    for (const statement of fillStatements) await database.query(statement, parameters);
    await database.query('ANALYZE');
    await giveToNodes(database, nodes);
  } finally {
    await database.end();
  }
}

interface Placed {
  id: string;
  meetingID: string;
  sessionID: string;
  nodeID: string;
}

async function giveToNodes(database: pg.Client, nodes: readonly FakeSfu[]): Promise<void> {
  const byID = new Map(nodes.map(node => [node.nodeID, node]));
  const { rows } = await database.query<Placed>(
    `SELECT id, meeting_id AS "meetingID", source_session_id AS "sessionID", node_id AS "nodeID" FROM playbacks`,
  );
  for (const { id: playbackID, meetingID, sessionID, nodeID } of rows) {
    const node = byID.get(nodeID);
    node?.sessions.set(sessionID, { sessionID, meetingID, state: 'active' });
    node?.playbacks.set(playbackID, { playbackID, sessionID, state: 'active' });
  }
}

async function readMeasures({ pid }: RunningGateway, file: string): Promise<Measures> {
  await rm(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  await waitFor(() => existsSync(file), { timeoutMs: 120_000, what: 'the measures of the event loop' });
  return JSON.parse(await readFile(file, 'utf8')) as Measures;
}

/** Over so many rounds of the reconciler, each of which asks each node once. */
async function measureRounds(gateway: RunningGateway, node: FakeSfu, file: string) {
  const seen = () => node.received('node.inventory').length;
  const until = (goal: number) =>
    waitFor(() => seen() >= goal, { timeoutMs: 600_000, what: `round ${goal} of the reconciler` });
  await until(seen() + 2);
  await readMeasures(gateway, file);
  const first = seen();
  await until(first + rounds);
  const { cpuMs, wallMs, longestPauseMs, longestCpuMs } = await readMeasures(gateway, file);
  const round = (value: number) => Math.round(value * 10) / 10;
  return {
    cpuMsPerRound: round(cpuMs / (seen() - first)),
    wallMsPerRound: round(wallMs / (seen() - first)),
    longestPauseMs: round(longestPauseMs),
    longestCpuMs: round(longestCpuMs),
  };
}

const folder = await mkdtemp(join(tmpdir(), 'rtms-reconciler-'));
const file = join(folder, 'measures.json');
const meter = new URL(`loop-meter.mjs?file=${encodeURIComponent(file)}`, import.meta.url).href;
const environment = { RECONCILE_SECONDS: String(intervalSeconds), LOG_LEVEL: 'warn' };
const gateway = await startGateway(['--import', meter], environment);
try {
  const bus = await NatsBus.connect({ ...gateway.busUser('sfu'), name: 'bench' });
  try {
    const taken = () => Promise.reject(new Error('the nodes of this bench report nothing'));
    const nodes = Array.from({ length: nodeCount }, (_, index) => new FakeSfu(bus, `sfu-${index + 1}`, { taken }));
    for (const node of nodes) Object.assign(node, { epoch: nodes[0]?.epoch, capacity: count });
    for (const node of nodes) await node.start();
    const [probe] = nodes;
    if (!probe) throw new Error('at least one node is needed');
    const empty = await measureRounds(gateway, probe, file);
    await fill(gateway, nodes);
    const filled = await measureRounds(gateway, probe, file);
    const others = nodes.flatMap(node => node.commands).filter(({ name }) => name !== 'node.inventory');
    if (others.length > 0) throw new Error(`the reconciler found differences: ${others[0]?.name} and others`);
    // Rounds take longer with many sessions: what an idle gateway uses meanwhile is not the reconciler's.
    const idleShare = empty.cpuMsPerRound / empty.wallMsPerRound;
    const cpuMs = Math.round((filled.cpuMsPerRound - idleShare * filled.wallMsPerRound) * 10) / 10;
    const met = cpuMs <= aim.cpuMs && filled.longestCpuMs <= aim.pauseMs;
    const run = { sessions: count, playbacks: count, nodes: nodeCount, rounds };
    console.log(JSON.stringify({ bench: 'reconciler', ...run, empty, filled, cpuMs, aim, met }));
    await Promise.all(nodes.map(node => node.die()));
  } finally {
    await bus.close();
  }
} finally {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
}
