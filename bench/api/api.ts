/**
 * Compares the gateway with a bare Express and pg program that reads and inserts the same rows, and with one that also enforces limits.
 * `npm run bench:api -- [seconds a round] [requests in all]`; prints one JSON line. With `--profile` it prints the
 * gateway's functions in which one kind of request spends its time: `readSettings`, or the one of `--request`. Both need
 * `npm run build`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { NatsBus } from '@rtms/bus';
import { FakeSfu } from '../../apps/gateway/src/testing/fake-sfu.js';
import { percentile } from '../percentile.js';
import { residentMegabytesOfTree } from '../process-usage.js';
import { startGateway, type RunningGateway } from './gateway-process.js';
import { loadRound, type Load } from './load-round.js';
import {
  prepareRequests,
  requestNamed,
  requireSameAnswers,
  withLimits,
  type MeasuredRequest,
  type MeasuredRequests,
} from './measured-requests.js';
import { startBareProgram, type BareProgram } from './start-bare-program.js';
import { topFunctions } from './top-functions.js';

const roundsEach = 3;
const warmUp = { amount: 2_000 };
const topCount = 20;

function summarize(loads: readonly Load[]) {
  const latencies = loads.flatMap(({ latenciesMs }) => latenciesMs);
  const sum = (key: 'seconds' | 'cpuSeconds') => loads.reduce((total, load) => total + load[key], 0);
  return {
    requests: latencies.length,
    requestsPerSecond: Math.round(latencies.length / sum('seconds')),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    cpuMsPerRequest: round((sum('cpuSeconds') * 1000) / latencies.length),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/**
 * In turns, so that other load on the machine affects all alike. `isAddition`: also beside the bare program that enforces limits as the
 * gateway does.
 */
async function compare(
  gateway: RunningGateway,
  bare: BareProgram,
  request: MeasuredRequest,
  { isAddition = false } = {},
) {
  const [ours, theirs, limited]: [Load[], Load[], Load[]] = [[], [], []];
  for (let turn = 0; turn < roundsEach; turn += 1) {
    ours.push(await loadRound(gateway, request, { duration: seconds }));
    theirs.push(await loadRound(bare, request, { duration: seconds }));
    if (isAddition) limited.push(await loadRound(bare, withLimits(request), { duration: seconds }));
  }
  const measured = { gateway: summarize(ours), bare: summarize(theirs) };
  const compared = { ...measured, ratio: ratioOf(measured.gateway, measured.bare) };
  if (!isAddition) return compared;
  const bareWithLimits = summarize(limited);
  return { ...compared, bareWithLimits, ratioWithLimits: ratioOf(measured.gateway, bareWithLimits) };
}

function ratioOf(one: { requestsPerSecond: number }, other: { requestsPerSecond: number }): number {
  return round(one.requestsPerSecond / other.requestsPerSecond);
}

async function measure(gateway: RunningGateway, bare: BareProgram, requests: MeasuredRequests) {
  await requireSameAnswers([gateway.url, bare.url], requests);
  for (const server of [gateway, bare]) {
    for (const request of Object.values(requests)) await loadRound(server, request, warmUp);
  }
  const beforeMB = residentMegabytesOfTree(gateway.pid);
  const readSettings = await compare(gateway, bare, requests.readSettings);
  const readSession = await compare(gateway, bare, requests.readSession);
  const createRoom = await compare(gateway, bare, requests.createRoom, { isAddition: true });
  const createSession = await compare(gateway, bare, requests.createSession, { isAddition: true });
  const sent = [readSettings, readSession, createRoom, createSession].reduce(
    (sum, each) => sum + each.gateway.requests,
    0,
  );
  const missing = Math.max(0, requestsInAll - sent);
  if (missing > 0) await loadRound(gateway, requests.readSettings, { amount: missing });
  const memory = { requests: sent + missing, beforeMB, afterMB: residentMegabytesOfTree(gateway.pid) };
  const measured = { readSettings, readSession, createRoom, createSession, memory };
  console.log(JSON.stringify({ bench: 'api', seconds, roundsEach, ...measured }));
}

async function runComparison(): Promise<void> {
  const gateway = await startGateway();
  const node = await startNode(gateway);
  try {
    const requests = await prepareRequests(gateway);
    const bare = await startBareProgram(gateway, requests);
    await measure(gateway, bare, requests).finally(() => bare.close());
  } finally {
    await node.close();
    await gateway.close();
  }
}

/** An SFU that answers the commands of new sessions. */
async function startNode(gateway: RunningGateway): Promise<{ close(): Promise<void> }> {
  const bus = await NatsBus.connect({ ...gateway.busUser('sfu'), name: 'bench' });
  const node = new FakeSfu(bus, 'sfu-1', { taken: () => Promise.resolve() });
  node.capacity = 1_000_000;
  await node.start();
  const close = async () => {
    await node.die();
    await bus.close();
  };
  return { close };
}

async function runProfile(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rtms-profile-'));
  const gateway = await startGateway(['--cpu-prof', `--cpu-prof-dir=${folder}`]);
  const node = await startNode(gateway);
  try {
    const { [requestName]: request } = await prepareRequests(gateway);
    await loadRound(gateway, request, warmUp);
    const from = process.hrtime.bigint();
    const { requestsPerSecond } = summarize([await loadRound(gateway, request, { duration: seconds })]);
    const to = process.hrtime.bigint();
    await gateway.stop(); // the gateway writes the profile at exit
    const top = await topFunctions(folder, [from, to], topCount);
    console.log(JSON.stringify({ bench: 'api-profile', seconds, requestsPerSecond, top }));
  } finally {
    await node.close();
    await gateway.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { profile: { type: 'boolean' }, request: { type: 'string', default: 'readSettings' } },
});
const requestName = requestNamed(values.request);
const [seconds = 10, requestsInAll = 200_000] = positionals.map(Number);
await (values.profile ? runProfile() : runComparison());
