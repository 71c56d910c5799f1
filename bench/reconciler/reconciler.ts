/**
 * The gateway's CPU for a round of the reconciler, and the pauses of the event loop. Nodes hold exactly the many
 * sessions and playbacks of the database. `npm run bench:reconciler -- [sessions] [nodes] [rounds]` after
 * `npm run build`; prints one JSON line. Starts PostgreSQL, NATS and a gateway of its own; needs Linux.
 */
import { NatsBus } from '@rtms/bus';
import { waitFor } from '@rtms/testing';
import { FakeSfu } from '../../apps/gateway/src/testing/fake-sfu.js';
import { startGateway, type RunningGateway } from '../api/gateway-process.js';
import { LoopMeter } from '../loop-meter.js';
import { fillMedia } from '../media-rows.js';

const [count = 10_000, nodeCount = 20, rounds = 8] = process.argv.slice(2).map(Number);
const intervalSeconds = 2;
const aim = { cpuMs: 150, pauseMs: 20 };
/** Commands that change nothing. The gateway reads samples of quality beside the rounds. */
const readings = ['node.inventory', 'samples.read', 'viewer-samples.read'];

/** Over so many rounds of the reconciler, each of which asks each node once. */
async function measureRounds(gateway: RunningGateway, node: FakeSfu) {
  const seen = () => node.received('node.inventory').length;
  const until = (goal: number) =>
    waitFor(() => seen() >= goal, { timeoutMs: 600_000, what: `round ${goal} of the reconciler` });
  await until(seen() + 2);
  await meter.read(gateway);
  const first = seen();
  await until(first + rounds);
  const { cpuMs, wallMs, longestPauseMs, longestCpuMs } = await meter.read(gateway);
  const round = (value: number) => Math.round(value * 10) / 10;
  return {
    cpuMsPerRound: round(cpuMs / (seen() - first)),
    wallMsPerRound: round(wallMs / (seen() - first)),
    longestPauseMs: round(longestPauseMs),
    longestCpuMs: round(longestCpuMs),
  };
}

const meter = await LoopMeter.open();
const environment = { RECONCILE_SECONDS: String(intervalSeconds), LOG_LEVEL: 'warn' };
const gateway = await startGateway(meter.options, environment);
try {
  const bus = await NatsBus.connect({ ...gateway.busUser('sfu'), name: 'bench' });
  try {
    const taken = () => Promise.reject(new Error('the nodes of this bench report nothing'));
    const nodes = Array.from({ length: nodeCount }, (_, index) => new FakeSfu(bus, `sfu-${index + 1}`, { taken }));
    for (const node of nodes) Object.assign(node, { epoch: nodes[0]?.epoch, capacity: count });
    for (const node of nodes) await node.start();
    const [probe] = nodes;
    if (!probe) throw new Error('at least one node is needed');
    const empty = await measureRounds(gateway, probe);
    await fillMedia(gateway, nodes, { count, sessions: 'active', playbacks: 'active' });
    const filled = await measureRounds(gateway, probe);
    const others = nodes.flatMap(node => node.commands).filter(({ name }) => !readings.includes(name));
    if (others.length > 0) throw new Error(`the reconciler found differences: ${others[0]?.name} and others`);
    // Rounds take longer with many sessions, so the CPU of an idle gateway in that time is subtracted.
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
  await meter.close();
}
