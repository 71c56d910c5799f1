const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, relative } = require('node:path');
const { default: TestRunner, EmittingTestRunner } = require('jest-runner');
const { brokenProcess, deadlinesOf, withChildren } = require('./deadline.cjs');
const { filesToStart, loadOf, sharedProcess, suitesOf, tiers } = require('./plan.cjs');
const { plannedCores } = require('./planned-cores.cjs');
const { suiteSource } = require('./suite.cjs');

/** @typedef {import('jest-runner').Test} Test */
/** @typedef {import('jest-runner').TestWatcher} TestWatcher */
/** @typedef {import('jest-runner').TestEvents} TestEvents */
/** @typedef {import('./suite.cjs').SuiteResult} SuiteResult */

/**
 * Runs the tiers one after the other, and none after a tier in which a test failed. Files that may share a process are put
 * into suites. Any other file has a process of its own. Files and suites run beside each other as long as their weights fit the
 * cores that are planned for their tier. A file that runs for too long fails: the runner kills its process. Processes that a
 * test starts end with it.
 */
module.exports = class TieredRunner extends EmittingTestRunner {
  #single;
  /** The files of each running suite. @type {Map<Test, Test[]>} */
  #suites = new Map();
  /** The last report of each running file or suite, by its path: see run-file.cjs. @type {Map<string, string>} */
  #progress = new Map();
  /** Begins the deadline of a step of each running file and suite again, by their path. @type {Map<string, () => void>} */
  #steps = new Map();
  /** Why the runner killed the process of a file. @type {Map<Test, string>} */
  #killed = new Map();
  #hasFailed = false;

  /** @param {ConstructorParameters<typeof TestRunner>} args */
  constructor(...[globalConfig, context]) {
    super(globalConfig, context);
    this.#single = new TestRunner({ ...globalConfig, maxWorkers: 1 }, context);
    this.#single.on(/** @type {keyof TestEvents} */ ('rtms-progress'), data => {
      const [path, progress] = /** @type {[string, string]} */ (/** @type {unknown} */ (data));
      this.#progress.set(path, progress);
      this.#steps.get(path)?.();
    });
    this.on('test-file-failure', () => void (this.#hasFailed = true));
    this.on('test-file-success', ([, result]) => {
      this.#hasFailed ||= result.numFailingTests > 0 || result.testExecError !== undefined;
    });
  }

  /** @type {import('jest-runner').EmittingTestRunner['on']} */
  on(eventName, listener) {
    const each = (/** @type {TestEvents[typeof eventName]} */ data) =>
      this.#perFile(eventName, this.#explained(eventName, data), listener);
    return this.#single.on(eventName, each);
  }

  /**
   * Names the running test in the failure of a file whose process ended.
   *
   * @template {keyof TestEvents} Name
   * @param {Name} eventName
   * @param {TestEvents[Name]} data
   * @returns {TestEvents[Name]}
   */
  #explained(eventName, data) {
    if (eventName !== 'test-file-failure') return data;
    const [test, error] = /** @type {TestEvents['test-file-failure']} */ (data);
    const reason = this.#killed.get(test) ?? (error.message.startsWith('A jest worker process') ? error.message : '');
    if (!reason) return data;
    const explained = brokenProcess(reason, this.#progress.get(test.path));
    return /** @type {TestEvents[Name]} */ (/** @type {unknown} */ ([test, explained]));
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
  async runTests(tests, watcher) {
    const { runInBand, detectOpenHandles } = this._globalConfig;
    for (const [index, tier] of tiers.entries()) {
      const files = tests.filter(test => tierOf(test) === tier);
      if (files.length === 0) continue;
      if (runInBand || detectOpenHandles) await this.#single.runTests(files, watcher, { serial: true });
      else await this.#runByWeight(files, plannedCores(tier, this._globalConfig.maxWorkers, process.env), watcher);
      const omitted = tests.filter(test => tiers.indexOf(tierOf(test)) > index).length;
      if (this.#hasFailed && omitted > 0) {
        process.stderr.write(`A file of the tier "${tier}" failed: the ${omitted} files of later tiers do not run.\n`);
        return;
      }
    }
  }

  /** @param {Test[]} tests @param {number} cores @param {TestWatcher} watcher */
  async #runByWeight(tests, cores, watcher) {
    const folder = mkdtempSync(join(tmpdir(), 'rtms-suites-'));
    /** @type {Map<{ weight: number, test: Test }, Promise<void>>} */
    const running = new Map();
    const stopped = () => this.#reportStop([...running.keys()].map(({ test }) => test));
    process.once('SIGTERM', stopped);
    try {
      const waiting = new Set(this.#withSuites(tests, folder));
      while (waiting.size > 0 && !watcher.isInterrupted()) {
        for (const file of filesToStart([...waiting], [...running.keys()], cores)) {
          waiting.delete(file);
          const end = this.#runInTime(file.test, deadlinesOf(file.stated, process.env), watcher);
          running.set(
            file,
            end.finally(() => running.delete(file)),
          );
        }
        await Promise.race(running.values());
      }
      await Promise.all(running.values());
    } finally {
      process.off('SIGTERM', stopped);
      this.#suites.clear();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /**
   * Runs a file or a suite in a process that ends at its deadlines. That of a step holds from the first one: a busy machine needs long
   * to start a process.
   *
   * @param {Test} test
   * @param {ReturnType<typeof deadlinesOf>} deadlines
   * @param {TestWatcher} watcher
   */
  async #runInTime(test, deadlines, watcher) {
    const { result, children } = withChildren(() => this.#single.runTests([test], watcher, { serial: false }));
    const kill = (/** @type {string} */ reason) => {
      this.#killed.set(test, `${reason}, so its process was killed.`);
      for (const child of children) child.kill('SIGKILL');
    };
    /** @type {NodeJS.Timeout | undefined} */
    let step;
    this.#steps.set(test.path, () => {
      step ??= setTimeout(kill, deadlines.step * 1000, `The file reported no step within ${deadlines.step} s`);
      step.refresh();
    });
    const file = setTimeout(kill, deadlines.file * 1000, `The file did not end within ${deadlines.file} s`);
    try {
      await result;
    } finally {
      this.#steps.delete(test.path);
      clearTimeout(step);
      clearTimeout(file);
    }
  }

  /** Says what still ran when the whole run is stopped, and lets it stop. @param {Test[]} running */
  #reportStop(running) {
    for (const { path } of running) {
      process.stderr.write(`Stopped in ${path}: ${this.#progress.get(path) ?? 'started its process'}\n`);
    }
    if (process.listenerCount('SIGTERM') === 0) process.kill(process.pid, 'SIGTERM');
  }

  /**
   * Puts files that may share a process into suites. Answers suites and files, longest first: by the times of the last run, or by
   * those that the files state.
   *
   * @param {Test[]} tests
   * @param {string} folder for the modules of the suites
   */
  #withSuites(tests, folder) {
    const files = tests.map(test => {
      const source = readFileSync(test.path, 'utf8');
      const tier = tierOf(test);
      const shared = sharedProcess(relative(test.context.config.rootDir, test.path), source, tier);
      const { weight, seconds: stated } = loadOfFile(test.path, source, tier);
      const seconds = test.duration === undefined ? stated : test.duration / 1000;
      return { test, weight, shared, stated, seconds };
    });
    const alone = files.filter(({ shared }) => !shared);
    const suites = [...new Set(files.flatMap(({ shared }) => shared?.group ?? []))].flatMap(group => {
      const members = files.filter(({ shared }) => shared?.group === group).toSorted(byPath);
      const { environment = 'node', least = 1, most = 1 } = members[0]?.shared ?? {};
      const parts = suitesOf(members, this._globalConfig.maxWorkers, { least, most });
      return parts.map((part, index) => this.#asSuite(part, join(folder, `${group}-${index + 1}.mjs`), environment));
    });
    return [...suites, ...alone].toSorted(longestFirst);
  }

  /**
   * Makes one file of several.
   *
   * @template {{ test: Test, weight: number, stated: number, seconds: number }} File
   * @param {File[]} files at least one
   * @param {string} path of the module to write
   * @param {string} environment of their tests
   */
  #asSuite(files, path, environment) {
    const [first] = files;
    if (!first) throw new Error('a suite needs a file');
    if (files.length === 1) return first;
    const tests = files.map(({ test }) => test);
    writeFileSync(
      path,
      suiteSource(
        tests.map(test => test.path),
        environment,
      ),
    );
    const suite = { ...first.test, path };
    this.#suites.set(suite, tests);
    const sum = (/** @type {'stated' | 'seconds'} */ key) => files.reduce((total, file) => total + file[key], 0);
    return { test: suite, weight: first.weight, stated: sum('stated'), seconds: sum('seconds') };
  }
};

/**
 * @param {string} path
 * @param {Parameters<typeof loadOf>} args
 * @returns {ReturnType<typeof loadOf>}
 */
function loadOfFile(path, ...args) {
  try {
    return loadOf(...args);
  } catch (error) {
    throw new Error(`${path}: ${/** @type {Error} */ (error).message}`, { cause: error });
  }
}

/** @param {{ test: Test }} one @param {{ test: Test }} other */
function byPath(one, other) {
  return one.test.path < other.test.path ? -1 : 1;
}

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
