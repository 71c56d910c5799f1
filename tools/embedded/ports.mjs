import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { StartFailure } from '../setup/start-failure.mjs';

/** @typedef {'gateway' | 'sfu' | 'transcoder' | 'ingest'} ServiceName */

/** @type {Record<ServiceName, { variable: string, standard: number }>} */
export const servicePorts = {
  gateway: { variable: 'GATEWAY_PORT', standard: 4000 },
  sfu: { variable: 'SFU_PORT', standard: 4001 },
  transcoder: { variable: 'TRANSCODER_PORT', standard: 4002 },
  ingest: { variable: 'INGEST_PORT', standard: 4003 },
};

/**
 * The port of a service; 0 means any free one.
 * @param {ServiceName} service
 * @param {NodeJS.ProcessEnv} env
 */
export function wantedPort(service, env) {
  const { variable, standard } = servicePorts[service];
  const text = env[variable];
  if (text === undefined || text === '') return standard;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new StartFailure(`${variable} is "${text}"; it must be a port number from 0 to 65535 (0 = any free port).`);
}

/**
 * @param {ServiceName} service
 * @param {number} port
 * @param {string} code of the error that listening gave
 */
export function portProblemMessage(service, port, code) {
  const { variable } = servicePorts[service];
  const why =
    code === 'EACCES'
      ? 'needs more rights than this user has'
      : code === 'EADDRINUSE'
        ? 'is in use'
        : `cannot be opened (${code})`;
  return `Port ${port} ${why}, so the ${service} cannot listen there: free it, or set ${variable} to another port (for example ${variable}=${port + 100} npm start).`;
}

/**
 * @param {string} host
 * @param {number} port
 * @returns {Promise<{ port: number } | { code: string }>}
 */
export function tryPort(host, port) {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', error => resolve({ code: 'code' in error ? String(error.code) : error.message }));
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      const opened = typeof address === 'object' && address ? address.port : port;
      server.close(() => resolve({ port: opened }));
    });
  });
}

/**
 * Above 10080, the last port that browsers refuse (Fetch Standard, port blocking), and below 32768, where Linux's ephemeral ports begin: the
 * system could give one of those to a connection before our process listens.
 */
const own = { lowest: 10_081, highest: 32_767, attempts: 100 };

/** A port that nobody uses. @param {string} host */
async function tryAnyPort(host) {
  for (let attempt = 0; attempt < own.attempts; attempt += 1) {
    const result = await tryPort(host, randomInt(own.lowest, own.highest + 1));
    if ('port' in result) return result;
  }
  return tryPort(host, 0);
}

/**
 * The ports that the services will listen on, or one line for each port that is not available.
 * @param {string} host
 * @param {NodeJS.ProcessEnv} env
 */
export async function reserveServicePorts(host, env) {
  const ports = { gateway: 0, sfu: 0, transcoder: 0, ingest: 0 };
  const problems = [];
  for (const service of /** @type {ServiceName[]} */ (Object.keys(ports))) {
    const wanted = wantedPort(service, env);
    const result = wanted === 0 ? await tryAnyPort(host) : await tryPort(host, wanted);
    if ('code' in result) problems.push(portProblemMessage(service, wanted, result.code));
    else ports[service] = result.port;
  }
  if (problems.length > 0) throw new StartFailure(problems.join('\n'));
  return ports;
}

/**
 * The port of one of our own servers: the same at every start, unless another program has taken it.
 * @param {string} home
 * @param {'postgres' | 'nats'} server
 */
export async function ownPort(home, server) {
  const file = join(home, 'ports.json');
  const known = readPorts(file);
  const wanted = known[server];
  const kept = wanted === undefined ? undefined : await tryPort('127.0.0.1', wanted);
  if (kept && 'port' in kept) return kept.port;
  const chosen = await tryAnyPort('127.0.0.1');
  if ('code' in chosen) throw new StartFailure(`No free port on 127.0.0.1 (${chosen.code}).`);
  writeFileSync(file, JSON.stringify({ ...known, [server]: chosen.port }));
  return chosen.port;
}

/** @param {string} file @returns {Partial<Record<'postgres' | 'nats', number>>} */
function readPorts(file) {
  try {
    return /** @type {Partial<Record<'postgres' | 'nats', number>>} */ (JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}
