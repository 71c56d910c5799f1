import { setTimeout as pause } from 'node:timers/promises';
import { faultOf, sampleIntervalMs, type Verdict, type ViewerFault } from '@rtms/contracts';

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

/** Breaks a part until its viewers have so many samples whose whole interval is within the fault. Returns the time of the fault. */
export async function breakFor(samples: number, begin: () => () => void): Promise<{ from: number; to: number }> {
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
export function printCounts(bench: string, rounds: number, results: ReadonlyMap<string, Counted>): boolean {
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
