const { readFileSync } = require('node:fs');
const { default: runFile } = require('jest-circus/runner');
const { ServiceLogs } = require('./service-logs.cjs');

/** Ticks a second in /proc, on every Linux machine. */
const ticksPerSecond = 100;

/**
 * Runs a test file as jest does. Adds `cpuSeconds`, the processor time of the file with its ended child processes, and to each failed
 * test the last lines that the services logged during the test.
 *
 * @type {typeof runFile}
 */
module.exports = async function runTestFile(globalConfig, config, environment, ...rest) {
  const before = cpuSeconds();
  const logs = new ServiceLogs();
  /** @type {string[]} */
  const shown = [];
  environment.global[Symbol.for('rtms.service-logs')] = logs;
  environment.handleTestEvent = (/** @type {CircusEvent} */ event) => {
    if (event.name !== 'test_done') return;
    if (event.test.errors.length === 0) return logs.skip();
    const lines = logs.next();
    if (lines) shown.push(`  ● ${nameOf(event.test)}: logs of the services\n${lines}\n`);
  };
  const result = await runFile(globalConfig, config, environment, ...rest);
  const hasFailed = result.numFailingTests > 0 || result.testExecError !== undefined;
  const kept = logs.end(hasFailed && Boolean(process.env['RTMS_KEEP_LOGS']));
  if (kept.length > 0) shown.push(`  Logs are kept in ${kept.join(', ')}\n`);
  if (hasFailed) result.failureMessage = [result.failureMessage ?? '', ...shown].join('\n');
  return Object.assign(result, { cpuSeconds: cpuSeconds() - before });
};

/** @typedef {{ name: string, parent?: Named }} Named */
/** @typedef {{ name: string, test: Named & { errors: unknown[] } }} CircusEvent */

/** As jest prints it. @param {Named} test @returns {string} */
function nameOf({ name, parent }) {
  return parent && parent.name !== 'ROOT_DESCRIBE_BLOCK' ? `${nameOf(parent)} › ${name}` : name;
}

/** User and system time of this process and of its ended children: fields 14 to 17 of proc_pid_stat(5). */
function cpuSeconds() {
  const afterName = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1) ?? '';
  const ticks = afterName.split(' ').slice(11, 15).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}
