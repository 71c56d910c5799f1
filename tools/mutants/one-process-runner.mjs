// A test runner of Stryker that loads the specs once, and runs them again for each mutant with jest-circus. A mutant costs about
// 50 ms of CPU. Stryker's own runner for jest needs 4 s, because jest loads every module anew. A mutant may change the data that tests
// share, and so hide later mutants: freeze such data.
import { pathToFileURL } from 'node:url';
import { expect } from 'expect';
import { addEventHandler, default as globals, getState, run } from 'jest-circus';
// Jest puts it in place of fast-check: it sets the sizes of generated values.
import '../../test/setup/fast-check.mjs';

/** @typedef {import('jest-circus').State} State */
/** @typedef {State['rootDescribeBlock']} DescribeBlock */
/** @typedef {Extract<DescribeBlock['children'][number], { type: 'test' }>} TestEntry */
/** @typedef {{ activeMutant?: string, currentTestId?: string, mutantCoverage?: unknown, hitCount?: number, hitLimit?: number }} Context */
/** @typedef {{ activeMutant: { id: string }, testFilter?: string[], hitLimit?: number, disableBail: boolean }} MutantRun */

/** As Stryker numbers them. */
const testStatus = { success: 0, failed: 1, skipped: 2 };

class OneProcessRunner {
  static inject = ['options'];
  #specs;
  /** The file of each test: a second run tries the mutants again whose tests have changed. @type {Map<TestEntry, string>} */
  #tests = new Map();
  /** The instrumented code reads the active mutant from it, and counts into it. @type {Context} */
  #context = {};
  #stopsAtFailure = false;

  /** @param {{ specs: string[] }} options paths of the specs */
  constructor({ specs }) {
    this.#specs = specs;
  }

  /** For a mutant of code that runs while modules load, Stryker starts a new process. */
  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    Object.assign(globalThis, globals, { expect, __stryker__: this.#context });
    for (const spec of this.#specs) {
      await import(pathToFileURL(spec).href);
      for (const test of testsOf(getState().rootDescribeBlock)) this.#tests.set(test, this.#tests.get(test) ?? spec);
    }
    addEventHandler(event => {
      if (event.name === 'test_start') this.#context.currentTestId = nameOf(event.test);
      if (event.name !== 'test_done') return;
      delete this.#context.currentTestId;
      if (this.#stopsAtFailure && event.test.errors.length > 0)
        for (const test of this.#tests.keys()) test.mode = 'skip';
    });
  }

  /** Finds out which tests reach which mutants. */
  async dryRun() {
    const tests = await this.#run(() => true);
    return { status: 'complete', tests, mutantCoverage: this.#context.mutantCoverage };
  }

  /** @param {MutantRun} options `testFilter`: the tests that reach the mutant */
  async mutantRun({ activeMutant, testFilter, hitLimit, disableBail }) {
    this.#stopsAtFailure = !disableBail;
    Object.assign(this.#context, { activeMutant: activeMutant.id, hitLimit, hitCount: hitLimit && 0 });
    const wanted = testFilter && new Set(testFilter);
    const results = await this.#run(name => wanted?.has(name) ?? true);
    const { hitCount = 0 } = this.#context;
    Object.assign(this.#context, { activeMutant: undefined, hitLimit: undefined, hitCount: undefined });
    // The instrumented code throws beyond the limit, so that no mutant runs for ever.
    if (hitLimit !== undefined && hitCount > hitLimit) return { status: 'timeout' };
    const failed = results.filter(({ status }) => status === testStatus.failed);
    const nrOfTests = results.filter(({ status }) => status !== testStatus.skipped).length;
    const [first] = failed;
    if (!first) return { status: 'survived', nrOfTests };
    const killedBy = failed.map(({ id }) => id);
    return { status: 'killed', killedBy, failureMessage: first.failureMessage, nrOfTests };
  }

  /** @param {(name: string) => boolean} isWanted */
  async #run(isWanted) {
    const state = getState();
    state.hasStarted = false;
    state.unhandledErrors = [];
    for (const test of this.#tests.keys()) {
      test.mode = isWanted(nameOf(test)) ? undefined : 'skip';
      test.status = null;
      test.errors = [];
    }
    const { unhandledErrors } = await run();
    if (unhandledErrors[0] !== undefined) throw new Error(unhandledErrors[0]);
    return [...this.#tests].map(resultOf);
  }
}

/** @param {DescribeBlock} block @returns {TestEntry[]} */
function testsOf({ children }) {
  return children.flatMap(child => (child.type === 'test' ? [child] : testsOf(child)));
}

/** @param {TestEntry | DescribeBlock} node @returns {string} */
function nameOf({ name, parent }) {
  return parent?.parent ? `${nameOf(parent)} ${name}` : name;
}

/** @param {[TestEntry, string]} entry */
function resultOf([test, fileName]) {
  const id = nameOf(test);
  const result = { id, name: id, fileName, timeSpentMs: test.duration ?? 0, failureMessage: String(test.errors[0]) };
  if (test.errors.length > 0) return { ...result, status: testStatus.failed };
  return { ...result, status: test.status === 'done' ? testStatus.success : testStatus.skipped };
}

export const strykerPlugins = [{ kind: 'TestRunner', name: 'one-process', injectableClass: OneProcessRunner }];
/** Without this Stryker would call the option unknown. */
export const strykerValidationSchema = { properties: { specs: { type: 'array' } } };
