import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { step } from './progress.mjs';
import { firstLines, runCommand } from './run-command.mjs';
import { StartFailure } from './start-failure.mjs';

/** @typedef {{ version?: string, link?: boolean, optional?: boolean, peer?: boolean, devOptional?: boolean }} LockEntry */
/** @typedef {{ packages?: Record<string, LockEntry> }} LockFile */

/**
 * Packages of the lock file that are not installed in its version. Missing optional packages are those of other
 * platforms.
 * @param {LockFile} wanted package-lock.json
 * @param {LockFile} installed node_modules/.package-lock.json, which npm writes when an installation is complete
 */
export function packagesToInstall(wanted, installed) {
  const present = installed.packages ?? {};
  return Object.entries(wanted.packages ?? {})
    .filter(([path]) => path.startsWith('node_modules/'))
    .filter(([path, entry]) => {
      const found = present[path];
      if (!found) return !entry.optional;
      return found.version !== entry.version;
    })
    .map(([path]) => path.slice('node_modules/'.length));
}

/** Two requests, each tried three times. */
const hopelessFailures = 6;

const noRegistry = /ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|ECONNRESET|EHOSTUNREACH|ENOTCACHED/;

/**
 * @param {string} output of npm
 */
export function npmFailureMessage(output) {
  if (noRegistry.test(output)) {
    return 'The npm registry cannot be reached. Check the network (or `npm config get registry` and proxy), then run this again.';
  }
  const errors = output.split('\n').filter(line => /^npm error \S/.test(line) && !/A complete log|npm help/.test(line));
  return `npm ci failed: ${firstLines(errors.join('\n') || output)}. Run \`npm ci\` to see all of it.`;
}

/**
 * Tells from npm's log whether a registry answers. npm itself would try hundreds of optional packages, because it may
 * skip each.
 */
export class RegistryWatch {
  fetched = 0;
  #failures = 0;

  /** @param {string} line of npm's log at level http @returns {boolean} false when there is no hope */
  isHopeful(line) {
    if (/http (fetch|cache)/.test(line) && !/ failed with /.test(line)) this.fetched += 1;
    else if (noRegistry.test(line)) this.#failures += 1;
    return this.fetched > 0 || this.#failures < hopelessFailures;
  }
}

/** @param {string} root @param {NodeJS.ProcessEnv} env @param {(text: string) => void} detail */
async function installPackages(root, env, detail) {
  const watch = new RegistryWatch();
  const giveUp = new AbortController();
  const patience = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=4000'];
  const result = await runCommand('npm', ['ci', '--include=dev', '--no-progress', '--loglevel=http', ...patience], {
    cwd: root,
    env,
    endsWithParent: true,
    signal: giveUp.signal,
    onLine: line => {
      if (!watch.isHopeful(line)) giveUp.abort();
      detail(`npm ci: ${watch.fetched} files fetched`);
    },
  });
  if (result.code !== 0) throw new StartFailure(npmFailureMessage(result.output));
}

/** @param {string} file @returns {LockFile} */
function readLock(file) {
  return existsSync(file) ? /** @type {LockFile} */ (JSON.parse(readFileSync(file, 'utf8'))) : {};
}

/**
 * Installs the packages of package-lock.json, unless they are installed.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 */
export async function ensureNpmPackages(root, env) {
  const lockFile = join(root, 'package-lock.json');
  const stamp = join(root, 'node_modules', '.rtms-installed');
  const fingerprint = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;
  const missing = packagesToInstall(readLock(lockFile), readLock(join(root, 'node_modules', '.package-lock.json')));
  if (missing.length > 0) {
    await step(`Installing ${missing.length} npm packages`, detail => installPackages(root, env, detail));
  }
  writeFileSync(stamp, fingerprint);
}
