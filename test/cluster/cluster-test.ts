/**
 * Breaks a cluster in network namespaces and measures what viewers, HLS players and recordings lose.
 * `npm run test:cluster -- [rounds] [seed] [fault …]` after `npm run build`; needs root. Prints one table, and fails when a
 * show does not recover or when a process stays.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { SeededRandom } from '@rtms/testing';
import { networkRefusal } from '../system/harness/network.js';
import { descendants } from '../system/harness/processes.js';
import { mountRefusal } from '../system/harness/small-disk.js';
import { Cluster } from './cluster.js';
import { faults } from './faults.js';
import { Show, type Losses } from './show.js';

/** No fault may take longer. */
const recoversWithinMs = 90_000;
const columns = ['recovery', 'picture', 'hls', 'recording'] as const;

/** A small film, because the publisher encodes it again. */
function makeClip(folder: string): string {
  const clip = join(folder, 'clip.mp4');
  const sources = ['-f', 'lavfi', '-i', 'testsrc2=size=256x144:rate=15', '-f', 'lavfi', '-i', 'sine=frequency=440'];
  execFileSync('ffmpeg', ['-loglevel', 'error', ...sources, '-t', '20', '-pix_fmt', 'yuv420p', clip]);
  return clip;
}

async function measure(cluster: Cluster, clip: string, name: string, waitMs: number): Promise<Losses> {
  await cluster.isWhole();
  const { make, isRelayed = false, endsRecording = false } = faults[name]!;
  const show = await Show.open(cluster, clip, { relayedFrom: isRelayed ? cluster.relayedAddress : undefined });
  try {
    const fault = await make(cluster, show);
    // The fault hits at any moment between two renewals of a lease.
    await pause(waitMs);
    try {
      return await show.end(await show.suffers(fault, recoversWithinMs), endsRecording);
    } finally {
      await fault.end();
    }
  } finally {
    await show.close();
  }
}

function seconds(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  const [median = NaN, most = NaN] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)];
  return `${(median / 1_000).toFixed(1)} / ${(most / 1_000).toFixed(1)}`;
}

function table(results: Results): string {
  const head = ['Fault', 'Recovery (s)', 'No picture (s)', 'No HLS segment (s)', 'Not recorded (s)', 'Failed'];
  const rows = [...results].map(([name, { losses, failures }]) => [
    name,
    ...columns.map(column => (losses.length === 0 ? '-' : seconds(losses.map(each => each[column])))),
    `${failures} of ${losses.length + failures}`,
  ]);
  const lines = [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`);
  return ['Median / maximum.', ...lines].join('\n');
}

interface Plan {
  rounds: number;
  seed: number;
  names: string[];
}

function readPlan([rounds = '1', seed = String(Date.now() % 2 ** 31), ...wanted]: string[]): Plan {
  const all = Object.keys(faults);
  const unknown = wanted.filter(name => !all.includes(name));
  if (unknown.length > 0) throw new Error(`No such fault: ${unknown.join(', ')}. Faults: ${all.join(', ')}.`);
  const refusal = networkRefusal() ?? mountRefusal();
  if (refusal !== undefined) throw new Error(`This machine makes no network namespaces or disks: ${refusal}`);
  return { rounds: Number(rounds), seed: Number(seed), names: wanted.length > 0 ? wanted : all };
}

type Results = Map<string, { losses: Losses[]; failures: number }>;

async function runRound(cluster: Cluster, clip: string, results: Results, random: SeededRandom): Promise<void> {
  for (const [name, result] of results) {
    try {
      const losses = await measure(cluster, clip, name, random.next() * 1_000);
      result.losses.push(losses);
      console.log(`${name}: ${JSON.stringify(losses)}`);
    } catch (error) {
      result.failures++;
      const cause = error instanceof Error && error.cause !== undefined ? ` (${inspect(error.cause)})` : '';
      console.error(`${name}: ${String(error)}${cause}`);
    }
  }
}

async function main(): Promise<boolean> {
  const { rounds, seed, names } = readPlan(process.argv.slice(2));
  console.log(`${rounds} round(s) of ${names.length} fault(s) with seed ${seed}`);
  const random = new SeededRandom(seed);
  const before = new Set(descendants(process.pid).map(({ pid }) => pid));
  const results: Results = new Map(names.map(name => [name, { losses: [], failures: 0 }]));
  const cluster = await Cluster.start();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cluster.close().finally(() => process.exit(1)));
  }
  try {
    const clip = makeClip(cluster.folder);
    for (let round = 1; round <= rounds; round++) await runRound(cluster, clip, results, random);
  } finally {
    await cluster.close();
  }
  const left = descendants(process.pid).filter(({ pid }) => !before.has(pid));
  for (const { pid, command } of left) console.error(`Process ${pid} still runs: ${command}`);
  console.log(table(results));
  return left.length === 0 && [...results.values()].every(({ failures }) => failures === 0);
}

try {
  process.exit((await main()) ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
