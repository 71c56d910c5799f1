import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readJson, writePrivateJson } from './private-file.mjs';

/** @typedef {{ secretKey: string, adminToken: string, databasePassword: string }} Secrets */

/**
 * The secrets of this installation: made at the first start, kept since. A lost secretKey makes every key that the
 * service issued and every secret that it stored unusable.
 * @param {string} home
 * @returns {Secrets}
 */
export function installationSecrets(home) {
  const path = join(home, 'secrets.json');
  const known = readJson(path);
  if (known) return /** @type {Secrets} */ (known);
  const made = {
    secretKey: randomBytes(32).toString('base64'),
    adminToken: randomBytes(32).toString('base64url'),
    databasePassword: randomBytes(24).toString('base64url'),
  };
  writePrivateJson(path, made);
  return made;
}
