// node summary.mjs FOLDER: prints the times in FOLDER/times, then the counts of all reports FOLDER/*.json that
// test/runner/time-reporter.cjs wrote. The last line is "N passed, N failed".
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Adds up the tests of several runs. A file that does not load counts as one failed test.
 *
 * @param {{ tiers: { passed: number, failed: number }[] }[]} reports
 */
export function countLine(reports) {
  const tiers = reports.flatMap(report => report.tiers);
  const sum = (/** @type {'passed' | 'failed'} */ key) => tiers.reduce((total, tier) => total + tier[key], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed`;
}

if (import.meta.filename === process.argv[1]) {
  const folder = process.argv[2] ?? '';
  const reports = readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const times = join(folder, 'times');
  if (existsSync(times)) console.log(`\nTime\n${readFileSync(times, 'utf8')}`);
  console.log(countLine(reports));
}
