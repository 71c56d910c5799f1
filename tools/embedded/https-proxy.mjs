import { lookup } from 'node:dns/promises';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartFailure } from '../setup/start-failure.mjs';
import { tryPort } from './ports.mjs';
import { isHealthy, lanInterface } from './services.mjs';

/**
 * How other machines reach the services: by HTTPS on one port, through Caddy. The services stay on the loopback interface.
 * @typedef {object} HttpsProxy
 * @property {string} domain name or address in the certificate
 * @property {string} announced address of this machine for media
 * @property {boolean} ownCA Caddy's own CA signs the certificate, else Let's Encrypt
 * @property {number} httpsPort
 * @property {number} httpPort answers with a redirect, and proves the domain to Let's Encrypt
 * @property {number} healthPort on the loopback interface
 */

const usage =
  'Use `npm start -- --lan` for the local network, or `npm start -- --domain example.org` for a public name.';

/**
 * The proxy that the arguments of the start ask for.
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<HttpsProxy | undefined>}
 */
export async function chooseProxy(args, env) {
  const [option, name, ...others] = args;
  if (option === undefined) return undefined;
  if (option === '--lan' && name === undefined) {
    const address = env.RTC_ANNOUNCED_ADDRESS || lanInterface();
    if (address === undefined) throw new StartFailure('This machine has no address in a network: connect it first.');
    return withPorts({ domain: address, announced: address, ownCA: true }, env, { https: 8443, http: 8080 });
  }
  if (option === '--domain' && isHostname(name) && others.length === 0) {
    const announced = env.RTC_ANNOUNCED_ADDRESS || (await addressOf(name));
    return withPorts({ domain: name, announced, ownCA: false }, env, { https: 443, http: 80 });
  }
  throw new StartFailure(`Unknown arguments: ${args.join(' ')}. ${usage}`);
}

/** @param {string | undefined} name @returns {name is string} */
function isHostname(name) {
  return name !== undefined && /^(?=.{1,253}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/i.test(name);
}

/** @param {string} name */
async function addressOf(name) {
  const { address } = await lookup(name).catch(() => {
    throw new StartFailure(
      `DNS has no address for ${name}: add one that leads to this machine, or set RTC_ANNOUNCED_ADDRESS.`,
    );
  });
  return address;
}

/**
 * Throws one line for each port that is not available.
 * @param {Pick<HttpsProxy, 'domain' | 'announced' | 'ownCA'>} host
 * @param {NodeJS.ProcessEnv} env
 * @param {{ https: number, http: number }} standard
 */
async function withPorts(host, env, standard) {
  const https = await openPort('HTTPS_PORT', env, standard.https);
  const http = await openPort('HTTP_PORT', env, standard.http);
  const problems = [https, http].flatMap(each => ('problem' in each ? [each.problem] : []));
  if ('problem' in https || 'problem' in http) throw new StartFailure(problems.join('\n'));
  const health = await tryPort('127.0.0.1', 0);
  const healthPort = 'port' in health ? health.port : 0;
  return { ...host, httpsPort: https.port, httpPort: http.port, healthPort };
}

/**
 * @param {string} variable
 * @param {NodeJS.ProcessEnv} env
 * @param {number} standard
 * @returns {Promise<{ port: number } | { problem: string }>}
 */
async function openPort(variable, env, standard) {
  const wanted = Number(env[variable] || standard);
  if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65_535)
    return { problem: `${variable} is "${env[variable]}"; it must be a port number from 0 to 65535.` };
  const result = await tryPort('0.0.0.0', wanted);
  if ('port' in result) return result;
  const why =
    result.code === 'EACCES'
      ? 'needs root or CAP_NET_BIND_SERVICE'
      : result.code === 'EADDRINUSE'
        ? 'is in use'
        : `cannot be opened (${result.code})`;
  return {
    problem: `Port ${wanted} ${why}, so Caddy cannot listen there: free it, or set ${variable} to another port.`,
  };
}

/** The services' settings behind the proxy. The user's own settings win. @param {HttpsProxy} proxy */
export function proxyEnvironment({ domain, announced, httpsPort }) {
  const origin = `https://${domain}${portInAddress(httpsPort)}`;
  return {
    ...{ GATEWAY_PUBLIC_URL: origin, SFU_PUBLIC_URL: origin, TRANSCODER_PUBLIC_URL: origin },
    RTC_ANNOUNCED_ADDRESS: announced,
    TRUSTED_PROXIES: 'loopback',
  };
}

/** @param {number} httpsPort */
function portInAddress(httpsPort) {
  return httpsPort === 443 ? '' : `:${httpsPort}`;
}

/**
 * @param {HttpsProxy} proxy
 * @param {{ program: string, root: string, home: string, ports: Record<import('./ports.mjs').ServiceName, number> }} around
 * @returns {import('./supervised-process.mjs').ProcessDescription}
 */
export function describeProxy(proxy, { program, root, home, ports }) {
  const data = join(home, 'caddy');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  return {
    name: 'Caddy',
    command: [program, 'run', '--adapter', 'caddyfile', '--config', join(root, 'deploy', 'caddy', 'Caddyfile')],
    env: {
      ...{ PATH: process.env.PATH, HOME: data, XDG_DATA_HOME: data, XDG_CONFIG_HOME: data },
      ...{ DOMAIN: proxy.domain, CERTIFICATES: proxy.ownCA ? 'local_certs' : '' },
      ...{
        HTTPS_PORT: String(proxy.httpsPort),
        HTTP_PORT: String(proxy.httpPort),
        HEALTH_PORT: String(proxy.healthPort),
        PORT_IN_ADDRESS: portInAddress(proxy.httpsPort),
      },
      GATEWAY: `127.0.0.1:${ports.gateway}`,
      SFU: `127.0.0.1:${ports.sfu}`,
      TRANSCODER: `127.0.0.1:${ports.transcoder}`,
    },
    cwd: home,
    logPath: join(home, 'logs', 'caddy.log'),
    stopSignal: 'SIGTERM',
    isReady: () => isHealthy(`http://127.0.0.1:${proxy.healthPort}/healthz`),
    worthShowing: problemInLog,
  };
}

/** @param {string} line */
function problemInLog(line) {
  const [, message] = /"level":"(?:error|fatal)".*?"msg":"([^"]*)"/.exec(line) ?? [];
  return message ?? (line.startsWith('{') ? undefined : line.trim() || undefined);
}
