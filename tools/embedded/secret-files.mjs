import { readFileSync } from 'node:fs';
import { StartFailure } from '../setup/start-failure.mjs';

/** Secrets that the start program reads or passes on. */
const names = [
  ...[
    'DATABASE_URL',
    'DATABASE_OWNER_URL',
    'NATS_URL',
    'RTMS_SECRET_KEY',
    'RTMS_PREVIOUS_SECRET_KEYS',
    'RTMS_ADMIN_TOKEN',
    'RTMS_PREVIOUS_ADMIN_TOKEN',
  ],
  ...['NATS_GATEWAY_PASSWORD', 'NATS_SFU_PASSWORD', 'NATS_TRANSCODER_PASSWORD', 'NATS_INGEST_PASSWORD'],
];

/**
 * The environment with the secrets from the files that it names.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function withSecretFiles(env) {
  const named = names.filter(name => env[`${name}_FILE`]);
  const read = Object.fromEntries(named.map(name => [name, readSecret(env, name)]));
  const files = new Set(named.map(name => `${name}_FILE`));
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => !files.has(name))), ...read };
}

/** @param {NodeJS.ProcessEnv} env @param {string} name */
function readSecret(env, name) {
  const path = env[`${name}_FILE`] ?? '';
  if (env[name]) throw new StartFailure(`${name} and ${name}_FILE are both set: only one of them may be.`);
  try {
    return readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
  } catch {
    throw new StartFailure(`${name}_FILE: ${path} cannot be read.`);
  }
}
