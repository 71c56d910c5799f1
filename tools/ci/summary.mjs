// node summary.mjs FOLDER: prints the times in FOLDER/times, then the failed tests and the counts of all reports FOLDER/*.json that
// test/runner/time-reporter.cjs wrote. The last line is "N passed, N failed".
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ file: string, test: string, message: string, warnings: string[] }} Failure */
/** @typedef {{ tiers: { passed: number, failed: number }[], failures: Failure[] }} Report what is read of a report */

/** The reports in a folder, in the order of their names. @param {string} folder @returns {Report[]} */
export function reportsIn(folder) {
  const names = readdirSync(folder).filter(name => name.endsWith('.json'));
  return names.sort().map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/**
 * Lists each test that failed in one of the runs, with its first message and the services' warnings; most frequent first.
 *
 * @param {Pick<Report, 'failures'>[]} reports
 */
export function failedTests(reports) {
  /** @type {Map<string, Failure & { times: number }>} */
  const failed = new Map();
  for (const failure of reports.flatMap(report => report.failures)) {
    const key = `${failure.file}\n${failure.test}`;
    const { times, ...first } = failed.get(key) ?? { times: 0, ...failure };
    failed.set(key, { ...first, times: times + 1 });
  }
  return [...failed.values()]
    .sort((a, b) => b.times - a.times)
    .map(({ file, test, times, message, warnings }) =>
      [`  ${times}× ${file}`, test, message, ...warnings.map(line => `  ${line}`)].join('\n     '),
    );
}

/** Adds up the tests of several runs. @param {Pick<Report, 'tiers'>[]} reports */
export function countLine(reports) {
  const tiers = reports.flatMap(report => report.tiers);
  const sum = (/** @type {'passed' | 'failed'} */ key) => tiers.reduce((total, tier) => total + tier[key], 0);
  return `${sum('passed')} passed, ${sum('failed')} failed`;
}

if (import.meta.filename === process.argv[1]) {
  const folder = process.argv[2] ?? '';
  const reports = reportsIn(folder);
  const times = join(folder, 'times');
  if (existsSync(times)) console.log(`\nTime\n${readFileSync(times, 'utf8')}`);
  const failed = failedTests(reports);
  if (failed.length > 0) console.log(`Failed tests\n${failed.join('\n')}\n`);
  console.log(countLine(reports));
}
