import { setTimeout as pause } from 'node:timers/promises';
import { faultOf, sampleIntervalMs, type Verdict, type ViewerFault } from '@rtms/contracts';
import type { Host } from '../../test/cluster/switched-network.js';
import { networkRefusal } from '../../test/system/harness/network.js';

const enough = 0.95;

/** Verdicts while one part was broken. */
export class Counted {
  right = 0;
  total = 0;
  /** Verdicts on viewers who saw the trouble by their own count, and the right ones of these. */
  troubled = 0;
  rightOfTroubled = 0;
  readonly wrong: string[] = [];

  /** `fault`: the fault that the verdict should name if the viewer saw trouble. */
  add(viewer: string, sample: Verdict, fault: ViewerFault, isTroubled: boolean): void {
    const expected = isTroubled ? fault : 'none';
    const isRight = faultOf(sample) === expected;
    this.total += 1;
    this.troubled += Number(isTroubled);
    this.right += Number(isRight);
    this.rightOfTroubled += Number(isRight && isTroubled);
    if (!isRight) this.wrong.push(`${viewer}: ${expected} expected, ${JSON.stringify(sample)}`);
  }
}

/** One broken part of the way of media. */
export interface BenchFault<Rig, Viewer> {
  /** Returns what mends the part. */
  begin: (rig: Rig) => () => void;
  /** The fault that the verdict on a viewer should name, if the viewer has trouble. */
  expected: (viewer: Viewer, rig: Rig) => ViewerFault;
}

interface VerdictBench<Rig, Viewer> {
  name: string;
  faults: Readonly<Record<string, BenchFault<Rig, Viewer>>>;
  /** ms between two faults. */
  restMs: number;
  open: () => Promise<Rig & { close(): Promise<void> }>;
  /** Counts the verdicts on all viewers whose whole interval is within the fault. */
  count: (rig: Rig, fault: BenchFault<Rig, Viewer>, time: FaultTime, counted: Counted) => Promise<void>;
}

interface FaultTime {
  from: number;
  to: number;
}

/** Runs a bench with the arguments of its command: rounds, samples of a viewer for each fault, faults. Ends the process. */
export async function runVerdictBench<Rig, Viewer>(bench: VerdictBench<Rig, Viewer>): Promise<never> {
  try {
    process.exit((await breakAll(bench)) ? 0 : 1);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

async function breakAll<Rig, Viewer>(bench: VerdictBench<Rig, Viewer>): Promise<boolean> {
  const [rounds = 1, samples = 3] = process.argv.slice(2, 4).map(Number);
  const { name, faults, restMs } = bench;
  const chosen = process.argv[4]?.split(',') ?? Object.keys(faults);
  const refusal = networkRefusal();
  if (refusal !== undefined) throw new Error(`This machine makes no network namespaces: ${refusal}`);
  const unknown = chosen.filter(each => !faults[each]);
  if (unknown.length > 0)
    throw new Error(`There is no fault ${unknown.join(', ')}: use ${Object.keys(faults).join(', ')}`);
  const results = new Map(chosen.map(each => [each, new Counted()]));
  const rig = await bench.open();
  try {
    await pause(2 * sampleIntervalMs);
    for (let round = 0; round < rounds; round++) {
      for (const [each, counted] of results) {
        const fault = faults[each]!;
        const time = await breakFor(samples, () => fault.begin(rig));
        await pause(1_000);
        await bench.count(rig, fault, time, counted);
        await pause(restMs);
      }
    }
  } finally {
    await rig.close();
  }
  return printCounts(name, rounds, results);
}

/** Whether the whole interval of a sample is within the fault. */
export function isWithin({ at }: { at: number }, { from, to }: FaultTime): boolean {
  return at - sampleIntervalMs >= from && at <= to;
}

/** Breaks for a period, and mends for a period. */
export function inTurns(periodMs: number, set: (isBroken: boolean) => void): () => void {
  let isBroken = true;
  set(isBroken);
  const timer = setInterval(() => set((isBroken = !isBroken)), periodMs);
  return () => {
    clearInterval(timer);
    if (isBroken) set(false);
  };
}

export function slow(host: Host, way: 'from' | 'to', tbf: string): () => void {
  host.slow(way, tbf);
  return () => host.slow(way, undefined);
}

/** Breaks a part until its viewers have so many samples whose whole interval is within the fault. */
async function breakFor(samples: number, begin: () => () => void): Promise<FaultTime> {
  const from = Date.now();
  const end = begin();
  try {
    // Intervals begin at any time within the first ten seconds.
    await pause((samples + 1) * sampleIntervalMs);
    return { from, to: Date.now() };
  } finally {
    end();
  }
}

/** Prints a table and one JSON line. Returns whether enough verdicts of each fault are right. */
function printCounts(bench: string, rounds: number, results: ReadonlyMap<string, Counted>): boolean {
  const all = [...results.values()];
  const sum = (key: 'right' | 'total' | 'troubled' | 'rightOfTroubled'): number =>
    all.reduce((total, each) => total + each[key], 0);
  for (const [name, { right, total, troubled, rightOfTroubled, wrong }] of results) {
    console.log(`${name.padEnd(16)} ${right} of ${total}; of viewers with trouble ${rightOfTroubled} of ${troubled}`);
    for (const line of wrong) console.log(`  ${line}`);
  }
  const faults = Object.fromEntries(
    [...results].map(([name, { right, total, troubled, rightOfTroubled }]) => [
      name,
      [right, total, rightOfTroubled, troubled],
    ]),
  );
  const share = round(sum('right') / sum('total'));
  const ofTroubled = round(sum('rightOfTroubled') / sum('troubled'));
  console.log(JSON.stringify({ bench, rounds, share, ofTroubled, faults }));
  return all.every(({ right, total }) => total > 0 && right / total >= enough);
}

function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}
