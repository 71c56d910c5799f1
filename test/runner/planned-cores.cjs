const { execFileSync } = require('node:child_process');

/** CPU seconds of a start of Node.js on the slowest machine on which system files ran on all cores without a failure. */
const slowestStartSeconds = 0.06;
const attempts = 5;

/**
 * Says for how many cores the runner plans a tier. On a slow machine the same tests use more of its cores. It would run so many system
 * files at a time that browsers and encoders lose their connections.
 *
 * @param {string} tier
 * @param {number} cores of the machine, or of `--maxWorkers`
 * @param {{ RTMS_TEST_CORES?: string | undefined }} env the cores for system files; default: as many as the machine's speed allows
 * @param {() => number} [measure] answers the CPU seconds of a start of Node.js
 * @returns {number} more than 0, such as 0.7; one file runs at any rate
 * @throws {Error} if `RTMS_TEST_CORES` is no positive number
 */
function plannedCores(tier, cores, { RTMS_TEST_CORES: text }, measure = fastestStart) {
  if (tier !== 'system') return cores;
  if (text === undefined) return cores * Math.min(1, slowestStartSeconds / measure());
  const stated = Number(text);
  if (!(stated > 0))
    throw new Error(`RTMS_TEST_CORES is ${text}; write the cores for system tests as a positive number`);
  return stated;
}

function fastestStart() {
  const program = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1e6)';
  const options = /** @type {const} */ ({ encoding: 'utf8', timeout: 60_000 });
  const start = () => Number(execFileSync(process.execPath, ['-e', program], options));
  return Math.min(...Array.from({ length: attempts }, start));
}

module.exports = { plannedCores };
