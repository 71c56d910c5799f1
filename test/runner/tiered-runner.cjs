const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, relative } = require('node:path');
const { default: TestRunner, EmittingTestRunner } = require('jest-runner');
const { filesToStart, loadOf, sharesProcess, suitesOf, tiers } = require('./plan.cjs');
const { suiteSource } = require('./suite.cjs');

/** @typedef {import('jest-runner').Test} Test */
/** @typedef {import('jest-runner').TestWatcher} TestWatcher */
/** @typedef {import('jest-runner').TestEvents} TestEvents */
/** @typedef {import('./suite.cjs').SuiteResult} SuiteResult */

/**
 * Runs the tiers one after the other, and none after a tier in which a test failed. Files of the fast tier share processes, and the
 * gateway's e2e files are put into suites. Any other file has a process of its own. Files and suites run beside each other as long as
 * their weights fit the machine's cores.
 */
module.exports = class TieredRunner extends EmittingTestRunner {
  #shared;
  #single;
  /** The files of each running suite. @type {Map<Test, Test[]>} */
  #suites = new Map();
  #hasFailed = false;

  /** @param {ConstructorParameters<typeof TestRunner>} args */
  constructor(...[globalConfig, context]) {
    super(globalConfig, context);
    this.#shared = new TestRunner(globalConfig, context);
    this.#single = new TestRunner({ ...globalConfig, maxWorkers: 1 }, context);
    this.on('test-file-failure', () => void (this.#hasFailed = true));
    this.on('test-file-success', ([, result]) => {
      this.#hasFailed ||= result.numFailingTests > 0 || result.testExecError !== undefined;
    });
  }

  /** @type {import('jest-runner').EmittingTestRunner['on']} */
  on(eventName, listener) {
    const each = (/** @type {TestEvents[typeof eventName]} */ data) => this.#perFile(eventName, data, listener);
    const unsubscribes = [this.#shared.on(eventName, listener), this.#single.on(eventName, each)];
    return () => unsubscribes.forEach(unsubscribe => unsubscribe());
  }

  /**
   * Reports for each file of a suite what jest reports of the suite.
   *
   * @template {keyof TestEvents} Name
   * @param {Name} eventName
   * @param {TestEvents[Name]} data
   * @param {(data: TestEvents[Name]) => void | Promise<void>} listener
   */
  async #perFile(eventName, data, listener) {
    const [test, result] = /** @type {[Test, SuiteResult?]} */ (/** @type {unknown} */ (data));
    const tests = this.#suites.get(test);
    if (!tests) return listener(data);
    for (const [index, file] of tests.entries()) {
      const own = eventName === 'test-file-success' ? fileResult(result, index) : result;
      await listener(/** @type {TestEvents[Name]} */ (/** @type {unknown} */ ([file, own])));
    }
  }

  /** @type {import('jest-runner').EmittingTestRunner['runTests']} */
  async runTests(tests, watcher, options) {
    const { runInBand, detectOpenHandles } = this._globalConfig;
    for (const [index, tier] of tiers.entries()) {
      const files = tests.filter(test => tierOf(test) === tier);
      if (files.length === 0) continue;
      if (runInBand || detectOpenHandles) await this.#single.runTests(files, watcher, { serial: true });
      else if (tier === 'fast') await this.#shared.runTests(files, watcher, options);
      else await this.#runByWeight(files, watcher);
      const omitted = tests.filter(test => tiers.indexOf(tierOf(test)) > index).length;
      if (this.#hasFailed && omitted > 0) {
        process.stderr.write(`A file of the tier "${tier}" failed: the ${omitted} files of later tiers do not run.\n`);
        return;
      }
    }
  }

  /** @param {Test[]} tests @param {TestWatcher} watcher */
  async #runByWeight(tests, watcher) {
    const folder = mkdtempSync(join(tmpdir(), 'rtms-suites-'));
    try {
      const waiting = new Set(this.#withSuites(tests, folder));
      /** @type {Map<{ weight: number }, Promise<void>>} */
      const running = new Map();
      while (waiting.size > 0 && !watcher.isInterrupted()) {
        for (const file of filesToStart([...waiting], [...running.keys()], this._globalConfig.maxWorkers)) {
          waiting.delete(file);
          const end = this.#single
            .runTests([file.test], watcher, { serial: false })
            .finally(() => running.delete(file));
          running.set(file, end);
        }
        await Promise.race(running.values());
      }
      await Promise.all(running.values());
    } finally {
      this.#suites.clear();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /**
   * Puts files that may share a process into suites. Answers suites and files, longest first: by the times of the last run, or by
   * those that the files state.
   *
   * @param {Test[]} tests
   * @param {string} folder for the modules of the suites
   */
  #withSuites(tests, folder) {
    const files = tests
      .map(test => {
        const source = readFileSync(test.path, 'utf8');
        const tier = tierOf(test);
        const isShared = sharesProcess(relative(test.context.config.rootDir, test.path), source, tier);
        const { weight, seconds } = loadOf(source, tier);
        return { test, weight, isShared, seconds: test.duration === undefined ? seconds : test.duration / 1000 };
      })
      .toSorted(longestFirst);
    const cores = this._globalConfig.maxWorkers;
    const suites = suitesOf(
      files.filter(({ isShared }) => isShared),
      cores,
    ).map((members, index) => {
      const [first] = members;
      if (!first || members.length === 1) return members[0];
      const path = join(folder, `suite-${index + 1}.mjs`);
      writeFileSync(path, suiteSource(members.map(({ test }) => test.path)));
      const suite = { ...first.test, path };
      this.#suites.set(
        suite,
        members.map(({ test }) => test),
      );
      return { test: suite, weight: first.weight, seconds: members.reduce((sum, { seconds }) => sum + seconds, 0) };
    });
    return [...suites.filter(suite => suite !== undefined), ...files.filter(({ isShared }) => !isShared)].toSorted(
      longestFirst,
    );
  }
};

/** @param {{ seconds: number }} one @param {{ seconds: number }} other */
function longestFirst(one, other) {
  return other.seconds - one.seconds;
}

/**
 * @param {Test} test
 * @returns {typeof tiers[number]}
 */
function tierOf(test) {
  const name = test.context.config.displayName?.name;
  const tier = tiers.find(each => each === name);
  if (!tier) throw new Error(`jest.config.js names the project "${name}"; the tiers are ${tiers.join(', ')}`);
  return tier;
}

/**
 * The result that jest would report for one file of a suite alone. @param {SuiteResult | undefined} suite @param
 * {number} index
 */
function fileResult(suite, index) {
  const file = suite?.files?.[index];
  if (!suite || !file) throw new Error(`the suite has no result of its file ${index + 1}`);
  // jest adds these to the result of the suite once it has ended.
  const { console, coverage, v8Coverage, memoryUsage, displayName, leaks, openHandles } = suite;
  const shared = { memoryUsage, displayName, leaks, openHandles: openHandles ?? [] };
  const skipped = file.testResults.length === file.numPendingTests;
  return { ...file, ...shared, skipped, ...(index === 0 && { console, coverage, v8Coverage }) };
}
