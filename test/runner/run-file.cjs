const { default: runFile } = require('jest-circus/runner');
const { ownCpuSeconds } = require('./cpu-time.cjs');
const { nameOf, Progress } = require('./progress.cjs');
const { ServiceLogs } = require('./service-logs.cjs');
const { SuiteFiles } = require('./suite.cjs');

/**
 * Runs a test file as jest does. Adds `cpuSeconds`, the processor time of the file with its ended child processes.
 * Adds to each failed test the last lines that the services logged during the test. The result of a suite has
 * `files`: see suite.cjs. Reports each step to the runner, which names the last one if the file never ends.
 *
 * @type {typeof runFile}
 */
module.exports = async function runTestFile(globalConfig, config, environment, ...rest) {
  const before = ownCpuSeconds();
  const [, testPath, sendMessageToJest] = rest;
  const logs = new ServiceLogs();
  const suite = new SuiteFiles(environment.global, ownCpuSeconds, path => progress.report(`loads ${path}`));
  const progress = new Progress(
    step => sendMessageToJest?.('rtms-progress', [testPath, step]),
    test => suite.pathOf(test),
  );
  /** @type {{ path: string | undefined, text: string }[]} */
  const shown = [];
  environment.global[Symbol.for('rtms.service-logs')] = logs;
  // Compiling the driver in jest's sandbox takes 4 s of CPU; here it takes 0.3 s, and `import` would take 0.45 s.
  environment.global[Symbol.for('rtms.browser-driver')] = () => Promise.resolve(require('playwright-core'));
  environment.handleTestEvent = (
    /** @type {CircusEvent} */ event,
    /** @type {Parameters<typeof suite.handle>[1] & Parameters<typeof progress.handle>[1]} */ state,
  ) => {
    suite.handle(event, state);
    progress.handle(event, state);
    if (event.name !== 'test_done') return;
    if (event.test.errors.length === 0) return logs.skip();
    const lines = logs.next();
    const text = `  ● ${nameOf(event.test)}: logs of the services\n${lines}\n`;
    if (lines) shown.push({ path: suite.pathOf(event.test), text });
  };
  const result = await runFile(globalConfig, config, environment, ...rest).finally(() => progress.end());
  const files = suite.split(result, config, globalConfig);
  const kept = logs.end(hasFailed(result) && Boolean(process.env['RTMS_KEEP_LOGS']));
  if (kept.length > 0) shown.push({ path: undefined, text: `  Logs are kept in ${kept.join(', ')}\n` });
  for (const each of [result, ...files].filter(hasFailed)) {
    const own = shown.filter(({ path }) => path === undefined || path === each.testFilePath || each === result);
    each.failureMessage = [each.failureMessage ?? '', ...own.map(({ text }) => text)].join('\n');
  }
  return Object.assign(result, { cpuSeconds: ownCpuSeconds() - before }, files.length > 0 && { files });
};

/** @param {Awaited<ReturnType<typeof runFile>>} result */
function hasFailed({ numFailingTests, testExecError }) {
  return numFailingTests > 0 || testExecError !== undefined;
}

/** @typedef {import('./progress.cjs').Named} Named */
/** @typedef {{ name: string, test: Named & { errors: unknown[] } }} CircusEvent */
