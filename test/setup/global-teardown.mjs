import { readFileSync } from 'node:fs';

/** A server of the run ends in 2 s; a busy machine needs more. `RTMS_TEST_END_SECONDS` replaces both bounds. */
const usualSeconds = 60;

/** @typedef {{ name: string, end: () => Promise<void> }} SharedServer */

/**
 * Ends the servers of the run that a test asked for. A server that does not end fails the run. So does anything else that keeps
 * the process of jest alive: jest itself would wait for it forever.
 *
 * @param {{ watch: boolean, watchAll: boolean }} globalConfig of jest
 */
export default async function globalTeardown({ watch, watchAll }) {
  const bound = Number(process.env.RTMS_TEST_END_SECONDS ?? usualSeconds) * 1000;
  const { sharedServers = [] } = /** @type {{ sharedServers?: SharedServer[] }} */ (globalThis);
  const failures = [];
  for (const { name, end } of sharedServers) failures.push(...(await problemOf(name, end, bound)));
  if (!watch && !watchAll) setTimeout(exit, bound, bound).unref();
  if (failures.length > 0) throw new Error(`Servers of the tests: ${failures.join(' ')}`);
}

/** @param {string} name @param {() => Promise<void>} end @param {number} bound @returns {Promise<string[]>} */
async function problemOf(name, end, bound) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise(resolve => {
    timer = setTimeout(resolve, bound, [`${name} did not end within ${bound / 1000} s.`]);
  });
  const ended = end().then(
    () => [],
    error => [`${name} did not end: ${String(error)}.`],
  );
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}

/** @param {number} bound */
function exit(bound) {
  const resources = process.getActiveResourcesInfo().join(', ');
  process.stderr.write(`The tests ended ${bound / 1000} s ago, but this process stays alive: ${resources}.\n`);
  for (const child of children()) process.stderr.write(`Still running: ${child}\n`);
  process.exit(1);
}

/** The command lines of this process's children. */
function children() {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
  return pids.map(pid => `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`);
}
