import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Writes JSON that only its owner may read, in one piece: a reader sees all of it or none.
 * @param {string} path
 * @param {unknown} content
 */
export function writePrivateJson(path, content) {
  writeFileSync(`${path}.new`, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  chmodSync(`${path}.new`, 0o600);
  renameSync(`${path}.new`, path);
}

/**
 * @template T
 * @param {string} path
 * @returns {T | undefined} nothing when there is no such file
 */
export function readJson(path) {
  try {
    return /** @type {T} */ (JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
