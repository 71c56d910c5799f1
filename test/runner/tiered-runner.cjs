const { readFileSync } = require('node:fs');
const { default: TestRunner, EmittingTestRunner } = require('jest-runner');
const { filesToStart, tiers, weightOf } = require('./plan.cjs');

/** @typedef {import('jest-runner').Test} Test */
/** @typedef {import('jest-runner').TestWatcher} TestWatcher */

/**
 * Runs the tiers one after the other, and none after a tier in which a test failed. Files of the fast tier share processes. A file
 * of another tier has a process of its own, and runs beside others as long as their weights fit the machine's cores.
 */
module.exports = class TieredRunner extends EmittingTestRunner {
  #shared;
  #single;
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
    const unsubscribes = [this.#shared, this.#single].map(runner => runner.on(eventName, listener));
    return () => unsubscribes.forEach(unsubscribe => unsubscribe());
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

  /**
   * @param {Test[]} tests longest first, as jest's sequencer sorts them
   * @param {TestWatcher} watcher
   */
  async #runByWeight(tests, watcher) {
    const waiting = new Set(
      tests.map(test => ({ test, weight: weightOf(readFileSync(test.path, 'utf8'), tierOf(test)) })),
    );
    /** @type {Map<{ weight: number }, Promise<void>>} */
    const running = new Map();
    while (waiting.size > 0 && !watcher.isInterrupted()) {
      for (const file of filesToStart([...waiting], [...running.keys()], this._globalConfig.maxWorkers)) {
        waiting.delete(file);
        const end = this.#single.runTests([file.test], watcher, { serial: false }).finally(() => running.delete(file));
        running.set(file, end);
      }
      await Promise.race(running.values());
    }
    await Promise.all(running.values());
  }
};

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
