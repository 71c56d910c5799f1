// node unsteady-files.mjs RESULTS: the test files to be run once more, a line each. RESULTS is what jest wrote by --json.
import { readFileSync } from 'node:fs';

/** More than these have a cause in common. */
const mostFiles = 2;

/**
 * Media, browsers and faults are tested in real time, and a machine that stands still for seconds fails a test that is right.
 *
 * @param {{ numTotalTestSuites: number, testResults: { name: string, status: string, assertionResults: object[] }[] }} run
 * @returns {string[]} empty when running again would hide something: nothing failed, too much did, or a file did not even load
 */
export function unsteadyFiles({ numTotalTestSuites, testResults }) {
  const failed = testResults.filter(({ status }) => status === 'failed');
  const isWhole = testResults.length === numTotalTestSuites && failed.every(file => file.assertionResults.length > 0);
  return isWhole && failed.length <= mostFiles ? failed.map(({ name }) => name) : [];
}

if (import.meta.filename === process.argv[1]) {
  const files = unsteadyFiles(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
  if (files.length === 0) process.exitCode = 1;
  for (const file of files) console.log(file);
}
