import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. */
export const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * The compiler, by its path: npm links `tsc` of one of two versions (docs/decisions/two-compilers.md).
 * @param {string} root
 */
export function compilerOf(root) {
  return join(root, 'node_modules', 'native-typescript', 'bin', 'tsc');
}

/**
 * The start program's state: databases, logs, secrets, ready.json.
 * @param {NodeJS.ProcessEnv} env
 */
export function homeDirectory(env) {
  return env.RTMS_HOME ? resolve(env.RTMS_HOME) : join(repositoryRoot, '.rtms');
}
