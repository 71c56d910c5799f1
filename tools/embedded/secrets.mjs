import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readJson, writePrivateJson } from './private-file.mjs';

/** @typedef {{ gateway: string, sfu: string, transcoder: string, ingest: string }} BusPasswords */
/** @typedef {{ secretKey: string, adminToken: string, databasePassword: string, servingPassword: string, bus: BusPasswords }} Secrets */

/**
 * The secrets of this installation: made at the first start, kept since. A lost secretKey makes every key that the
 * service issued and every secret that it stored unusable.
 * @param {string} home
 * @returns {Secrets}
 */
export function installationSecrets(home) {
  const path = join(home, 'secrets.json');
  const known = /** @type {Partial<Secrets>} */ (readJson(path) ?? {});
  // A missing secret came with a later version.
  const made = newSecrets();
  const complete = { ...made, ...known, bus: { ...made.bus, ...known.bus } };
  const isNew = (/** @type {object} */ all, /** @type {object} */ before) =>
    Object.keys(all).some(name => !(name in before));
  if (isNew(complete, known) || isNew(complete.bus, known.bus ?? {})) writePrivateJson(path, complete);
  return complete;
}

/** @returns {Secrets} */
function newSecrets() {
  return {
    secretKey: randomBytes(32).toString('base64'),
    adminToken: randomBytes(32).toString('base64url'),
    databasePassword: randomBytes(24).toString('base64url'),
    servingPassword: randomBytes(24).toString('base64url'),
    bus: { gateway: busPassword(), sfu: busPassword(), transcoder: busPassword(), ingest: busPassword() },
  };
}

/**
 * Of the server that we start, or of the user's own server if it needs passwords.
 * @param {NodeJS.ProcessEnv} env
 * @param {BusPasswords} own
 * @returns {BusPasswords | undefined}
 */
export function busPasswords(env, own) {
  if (!env.NATS_URL) return own;
  const { NATS_GATEWAY_PASSWORD: gateway, NATS_SFU_PASSWORD: sfu } = env;
  const { NATS_TRANSCODER_PASSWORD: transcoder, NATS_INGEST_PASSWORD: ingest } = env;
  return gateway && sfu && transcoder && ingest ? { gateway, sfu, transcoder, ingest } : undefined;
}

/** Begins with a letter: nats-server reads its variables as it reads its configuration. */
function busPassword() {
  return `p${randomBytes(24).toString('hex')}`;
}
