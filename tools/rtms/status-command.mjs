import { join } from 'node:path';
import { describeAnswer } from '@rtms/logging';
import { addressLines, signInLines } from '../embedded/greeting.mjs';
import { readSetupLink } from '../embedded/setup-link.mjs';
import { say } from '../setup/progress.mjs';
import { homeDirectory } from '../setup/repository.mjs';
import { StartFailure } from '../setup/start-failure.mjs';
import { findReady, GatewayApi, readReady } from './gateway-api.mjs';

const timeoutMs = 3_000;
const newest = '?startIndex=0&pageSize=100';

/** Prints addresses, sign-in and health. Fails when a service does not answer. */
export async function status() {
  const home = homeDirectory(process.env);
  const ready = findReady(home);
  if (!ready) {
    throw new StartFailure(
      `RTMS does not run from ${home}: run \`npm start\`. Credentials are in ${join(home, 'credentials.json')} after the first start.`,
    );
  }
  const services = /** @type {const} */ (['gateway', 'sfu', 'transcoder', 'ingest']);
  const answers = await Promise.all(services.map(name => healthAt(ready[name])));
  const health = Object.fromEntries(services.map((name, at) => [name, answers[at] ?? '']));
  const setupLink = await readSetupLink(ready);
  say(['', ...addressLines(ready, health), '', ...signInLines(ready, home, setupLink), ''].join('\n'));
  say(`Everything is kept in ${home}; logs: npx rtms logs --follow; checks: npx rtms-admin doctor`);
  const silent = services.filter((_name, at) => answers[at] !== 'ready');
  if (silent.length > 0)
    throw new StartFailure(`Not ready: ${silent.join(', ')}. See \`npx rtms logs ${silent.join(' ')}\`.`);
}

/** @param {string} address */
async function healthAt(address) {
  try {
    const response = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
    return response.ok ? 'ready' : `answers ${response.status}`;
  } catch (error) {
    const { cause } = /** @type {{ cause?: { code?: string } }} */ (error);
    return `does not answer${cause?.code ? ` (${cause.code})` : ''}`;
  }
}

export const listRooms = () => list('/admin/v1/rooms');
export const listSessions = () => list('/admin/v1/external-sessions');

/** The newest hundred. @param {string} path */
async function list(path) {
  const { gateway, adminToken } = readReady(homeDirectory(process.env));
  process.stdout.write(describeAnswer(await new GatewayApi(gateway, adminToken).get(path + newest)));
}
