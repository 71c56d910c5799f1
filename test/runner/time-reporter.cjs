const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const { stripVTControlCharacters } = require('node:util');
const { cpuSecondsBelow } = require('./cpu-time.cjs');
const { tiers } = require('./plan.cjs');

/** @typedef {import('jest-runner').TestEvents['test-file-success']} FileEnd */

const mostWarnings = 8;

/** A run of fewer files needs no summary. */
const fewFiles = 5;

/**
 * @typedef {object} FileTimes
 * @property {string} file
 * @property {string} tier
 * @property {number} start seconds since the epoch
 * @property {number} seconds from the start of the file to its end
 * @property {number} cpuSeconds of its process and its children
 * @property {number} passed number of tests
 * @property {number} failed
 */

/**
 * @typedef {object} Failure
 * @property {string} file
 * @property {string} test
 * @property {string} message its first line
 * @property {string[]} warnings the last warnings and errors that the services logged during the test
 */

/**
 * Prints the time of each tier and the slowest files, and writes all times and the failed tests to the file that `RTMS_TEST_REPORT`
 * names.
 */
module.exports = class TimeReporter {
  /** @type {FileTimes[]} */
  #files = [];
  /** @type {Failure[]} */
  #failures = [];

  /** @param {FileEnd[0]} test @param {FileEnd[1] & { cpuSeconds?: number }} result */
  onTestFileResult(test, result) {
    const { start, end } = result.perfStats;
    const file = relative(test.context.config.rootDir, test.path);
    const failures = failuresOf(file, result);
    this.#failures.push(...failures);
    this.#files.push({
      file,
      tier: test.context.config.displayName?.name ?? '',
      // A file whose process broke has no times.
      start: (start || Date.now()) / 1000,
      seconds: (end - start) / 1000,
      cpuSeconds: result.cpuSeconds ?? 0,
      passed: result.numPassingTests,
      failed: failures.length,
    });
  }

  onRunComplete() {
    // Servers that files share run until the global tear-down.
    const report = {
      tiers: tiers.map(tier => timesOf(tier, this.#files)),
      sharedCpuSeconds: cpuSecondsBelow(),
      files: this.#files,
      failures: this.#failures,
    };
    const path = process.env['RTMS_TEST_REPORT'];
    if (path) writeFileSync(path, JSON.stringify(report, undefined, 2));
    if (this.#files.length > fewFiles) process.stderr.write(summary(report));
  }
};

/** A file that does not load, or that breaks, counts as one more failed test. @param {string} file @param {FileEnd[1]} result */
function failuresOf(file, { testResults, testExecError, failureMessage }) {
  const failed = testResults.filter(({ status }) => status === 'failed');
  const failures = failed.map(({ fullName, ancestorTitles, title, failureMessages: [text = ''] }) =>
    failure(file, fullName, text, warningsOf([...ancestorTitles, title].join(' › '), failureMessage ?? '')),
  );
  return testExecError ? [...failures, failure(file, '(the file itself)', testExecError.message)] : failures;
}

/** @param {string} file @param {string} test @param {string} text @param {string[]} [warnings] @returns {Failure} */
function failure(file, test, text, warnings = []) {
  const [message = ''] = stripVTControlCharacters(text).trim().split('\n');
  return { file, test, message, warnings };
}

/**
 * Finds the warnings, the errors, and the lines of a program that broke in what run-file.cjs added to the message of the file.
 *
 * @param {string} name @param {string} message
 */
function warningsOf(name, message) {
  const logs = message.split('  ● ').find(part => part.startsWith(`${name}: logs of the services\n`)) ?? '';
  return (logs.match(/(?<=^ {6})(?![\d:.]+ (?:trace|debug|info) ).*/gm) ?? []).slice(-mostWarnings);
}

/** @param {string} tier @param {FileTimes[]} all */
function timesOf(tier, all) {
  const files = all.filter(file => file.tier === tier);
  const start = Math.min(...files.map(file => file.start));
  const end = Math.max(...files.map(file => file.start + file.seconds));
  const sum = (/** @type {'cpuSeconds' | 'passed' | 'failed'} */ key) =>
    files.reduce((total, file) => total + file[key], 0);
  const seconds = files.length === 0 ? 0 : end - start;
  return {
    tier,
    files: files.length,
    seconds,
    cpuSeconds: sum('cpuSeconds'),
    passed: sum('passed'),
    failed: sum('failed'),
  };
}

/** @param {{ tiers: ReturnType<typeof timesOf>[], sharedCpuSeconds: number, files: FileTimes[] }} report */
function summary(report) {
  const slowest = report.files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
  const line = (
    /** @type {{ seconds: number, cpuSeconds: number }} */ { seconds, cpuSeconds },
    /** @type {string} */ name,
  ) => `${seconds.toFixed(1).padStart(8)} s ${cpuSeconds.toFixed(1).padStart(8)} CPU s  ${name}\n`;
  return [
    '\nTime per tier\n',
    ...report.tiers.filter(({ files }) => files > 0).map(tier => line(tier, `${tier.tier} (${tier.files} files)`)),
    `${' '.repeat(10)} ${report.sharedCpuSeconds.toFixed(1).padStart(8)} CPU s  servers that files share\n`,
    '\nSlowest files\n',
    ...slowest.map(file => line(file, file.file)),
    '\n',
  ].join('');
}
