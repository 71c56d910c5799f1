const { readFileSync } = require('node:fs');
const { default: runFile } = require('jest-circus/runner');

/** Ticks a second in /proc, on every Linux machine. */
const ticksPerSecond = 100;

/**
 * Runs a test file as jest does, and adds the processor time that the file took: `cpuSeconds`, with that of all child processes that
 * have ended.
 *
 * @type {typeof runFile}
 */
module.exports = async function runMeasured(...args) {
  const before = cpuSeconds();
  const result = await runFile(...args);
  return Object.assign(result, { cpuSeconds: cpuSeconds() - before });
};

/** User and system time of this process and of its ended children: fields 14 to 17 of proc_pid_stat(5). */
function cpuSeconds() {
  const afterName = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1) ?? '';
  const ticks = afterName.split(' ').slice(11, 15).map(Number);
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}
