const { formatResultsErrors } = require('jest-message-util');

/**
 * A suite loads several test files one after the other into one process, where they share the modules that they import. jest takes
 * it for one test file; its result has the result of each file in `files`.
 *
 * @typedef {import('jest-runner').TestEvents['test-file-success'][1]} TestResult
 * @typedef {TestResult & { cpuSeconds: number }} FileResult
 * @typedef {TestResult & { files?: FileResult[] }} SuiteResult
 * @typedef {{ name: string, parent?: Node, children?: Node[] }} Node a block of tests, or a test
 * @typedef {{ name: string, describeBlock?: Node, hook?: { type: string } }} CircusEvent
 * @typedef {{ path: string, tests: number, start: number, end: number, cpuSeconds: number, hasError: boolean }} LoadedFile
 */

const key = 'rtms.suite';

/**
 * The text of the module that jest runs as the suite. @param {string[]} paths of the test files @param {string} environment of their
 * tests
 */
function suiteSource(paths, environment) {
  const loads = paths
    .map(path => JSON.stringify(path))
    .map(path => `await suite.load(${path}, () => import(${path}));`);
  return [
    `/** @jest-environment ${environment} */`,
    `const suite = globalThis[Symbol.for('${key}')];`,
    ...loads,
    '',
  ].join('\n');
}

/** Maps each test of a suite to its file, and measures the files. */
class SuiteFiles {
  /** @type {LoadedFile[]} */
  #files = [];
  /** By the blocks and tests at their top level. @type {Map<object, LoadedFile>} */
  #owners = new Map();
  #cpuSeconds;
  /** @type {Node | undefined} */
  #root;
  /** The last file of which a block began. @type {LoadedFile | undefined} */
  #current;

  /**
   * @param {Record<symbol, unknown> & { it?: (name: string, body: () => void) => void }} global of the tests
   * @param {() => number} cpuSeconds that this process has used
   * @param {(path: string) => void} onLoad called before a file is loaded
   */
  constructor(global, cpuSeconds, onLoad) {
    this.#cpuSeconds = cpuSeconds;
    global[Symbol.for(key)] = {
      load: async (/** @type {string} */ path, /** @type {() => Promise<unknown>} */ importFile) => {
        const children = this.#root?.children ?? [];
        const before = children.length;
        onLoad(path);
        // A file that cannot be loaded fails alone.
        await importFile().catch(error =>
          global.it?.('loads', () => {
            throw error;
          }),
        );
        const file = { path, tests: 0, start: Date.now(), end: Date.now(), cpuSeconds: 0, hasError: false };
        for (const child of children.slice(before)) {
          file.tests += testsIn(child);
          this.#owners.set(child, file);
        }
        this.#files.push(file);
      },
    };
  }

  /** @param {CircusEvent} event @param {{ rootDescribeBlock: Node }} state */
  handle(event, state) {
    this.#root = state.rootDescribeBlock;
    this.#noteError(event);
    const file = event.describeBlock && this.#owners.get(event.describeBlock);
    if (!file) return;
    if (event.name === 'run_describe_start') {
      if (this.#current !== file) file.start = Date.now();
      this.#current = file;
      file.cpuSeconds -= this.#cpuSeconds();
    }
    if (event.name === 'run_describe_finish') {
      file.end = Date.now();
      file.cpuSeconds += this.#cpuSeconds();
    }
  }

  /** An error that belongs to no test. @param {CircusEvent} event */
  #noteError({ name, hook, describeBlock }) {
    const isOfHook = name === 'hook_failure' && hook?.type === 'afterAll' && describeBlock;
    const file = isOfHook ? this.#ownerOf(describeBlock) : name === 'error' ? this.#current : undefined;
    if (file) file.hasError = true;
  }

  /** The path of the file that a test is from; none outside of a suite. @param {Node} test @returns {string | undefined} */
  pathOf(test) {
    return this.#ownerOf(test)?.path;
  }

  /** @param {Node} node @returns {LoadedFile | undefined} */
  #ownerOf(node) {
    return this.#owners.get(node) ?? (node.parent && this.#ownerOf(node.parent));
  }

  /**
   * The result of each file; none outside of a suite.
   *
   * @param {TestResult} result of all files together
   * @param {Parameters<typeof formatResultsErrors>[1]} config
   * @param {Parameters<typeof formatResultsErrors>[2]} globalConfig
   * @returns {FileResult[]}
   */
  split(result, config, globalConfig) {
    const [first] = this.#files;
    if (!first) return [];
    const { snapshot, testExecError } = result;
    if (snapshot.added + snapshot.matched + snapshot.unmatched > 0) {
      throw new Error('Files that share a process cannot use snapshot files: they would be those of the suite');
    }
    // An error outside of the tests belongs to the running file.
    if (testExecError && !this.#files.some(({ hasError }) => hasError)) first.hasError = true;
    let next = 0;
    return this.#files.map(({ path, tests, start, end, cpuSeconds, hasError }) => {
      const testResults = result.testResults.slice(next, (next += tests));
      const count = (/** @type {string} */ status) => testResults.filter(each => each.status === status).length;
      const failures = formatResultsErrors(testResults, config, globalConfig, path) ?? '';
      const message = [failures, hasError ? (testExecError?.stack ?? '') : ''].join('\n').trim();
      return {
        ...result,
        testFilePath: path,
        testResults,
        numPassingTests: count('passed'),
        numFailingTests: count('failed'),
        numPendingTests: count('pending'),
        numTodoTests: count('todo'),
        testExecError: hasError ? testExecError : undefined,
        failureMessage: message === '' ? null : message,
        perfStats: { ...result.perfStats, start, end, runtime: end - start },
        cpuSeconds,
      };
    });
  }
}

/** @param {Node} node @returns {number} */
function testsIn({ children }) {
  return children ? children.reduce((sum, child) => sum + testsIn(child), 0) : 1;
}

module.exports = { suiteSource, SuiteFiles };
