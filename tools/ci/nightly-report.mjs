import { relative } from 'node:path';
import { extract, parse } from 'jest-docblock';
import { repositoryRoot } from '../setup/repository.mjs';

/** By the ending of the file's name, as in jest.config.js. */
const tierOf = /** @type {const} */ ({ 'spec.ts': 'fast', 'e2e-spec.ts': 'e2e', 'system-spec.ts': 'system' });

/**
 * Chooses the files whose tests depend on the time of real media, processes or the kernel: each system test, and each file that
 * states its `@weight`.
 *
 * @param {{ path: string, source: string }[]} files
 */
export function timedFiles(files) {
  return files.flatMap(({ path, source }) => {
    const ending = /** @type {keyof typeof tierOf} */ (path.slice(path.lastIndexOf('.', path.length - 4) + 1));
    const tier = tierOf[ending];
    const isTimed = tier === 'system' || parse(extract(source)).weight !== undefined;
    return isTimed ? [{ path, tier }] : [];
  });
}

/** @typedef {{ fullName: string, status: string, failureMessages: string[] }} JsonTest */
/** @typedef {{ name: string, status: string, message: string, assertionResults: JsonTest[] }} JsonFile */
/** @typedef {{ file: string, test: string, times: number, message: string }} Failure */

/**
 * Lists each test that failed in one of the runs, with the first line of its first message; most frequent first.
 *
 * @param {{ testResults: JsonFile[] }[]} runs what jest writes by `--json`
 * @returns {Failure[]}
 */
export function failedTests(runs) {
  /** @type {Map<string, Failure>} */
  const failures = new Map();
  for (const { name, status, message, assertionResults } of runs.flatMap(run => run.testResults)) {
    const file = relative(repositoryRoot, name);
    const failed = assertionResults.filter(test => test.status === 'failed');
    const found = failed.map(({ fullName, failureMessages }) => ({
      test: fullName,
      message: failureMessages[0] ?? '',
    }));
    if (status === 'failed' && failed.length === 0) found.push({ test: '(the file did not load)', message });
    for (const { test, message: text } of found) {
      const key = `${file}\n${test}`;
      const failure = failures.get(key) ?? { file, test, times: 0, message: firstLine(text) };
      failures.set(key, { ...failure, times: failure.times + 1 });
    }
  }
  return [...failures.values()].sort((a, b) => b.times - a.times);
}

/** @param {string} text */
function firstLine(text) {
  return (
    text
      .split('\n')
      .find(line => line.trim() !== '')
      ?.trim() ?? ''
  );
}
