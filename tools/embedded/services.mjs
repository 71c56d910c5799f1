import { mkdirSync } from 'node:fs';
import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { problemInServiceLog } from './log-lines.mjs';
import { servicePorts } from './ports.mjs';

/** @typedef {import('./ports.mjs').ServiceName} ServiceName */

/**
 * @typedef {object} ServiceSurroundings
 * @property {string} root
 * @property {string} home
 * @property {string} host
 * @property {Record<ServiceName, number>} ports
 * @property {string} databaseUrl
 * @property {string} natsUrl
 * @property {import('./secrets.mjs').BusPasswords | undefined} busPasswords
 * @property {string} ffmpeg
 * @property {import('./secrets.mjs').Secrets} secrets
 * @property {NodeJS.ProcessEnv} env what the user set; it wins over every default here
 */

/** The scheme of the services' addresses. @param {NodeJS.ProcessEnv} env @returns {'http' | 'https'} */
export function schemeOf(env) {
  return env.TLS_CERT_FILE ? 'https' : 'http';
}

/**
 * Address at which this machine reaches a service that listens on `host`.
 * @param {string} host
 * @param {number} port
 * @param {'http' | 'https'} scheme
 */
export function localAddress(host, port, scheme = 'http') {
  const reachable =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${reachable}:${port}`;
}

/**
 * Address for other machines: the SFU's announced media address, when the services listen on every interface.
 * @param {ServiceSurroundings} around
 * @param {number} port
 */
function publicAddress({ host, env }, port) {
  const announced = host === '0.0.0.0' || host === '::' ? env.RTC_ANNOUNCED_ADDRESS : undefined;
  return localAddress(announced || host, port, schemeOf(env));
}

/**
 * The address to show. A certificate names the public host, which is seldom this machine's.
 * @param {ServiceName} service
 * @param {ServiceSurroundings} around
 */
export function shownAddress(service, around) {
  const scheme = schemeOf(around.env);
  const outside = scheme === 'https' ? around.env[`${service.toUpperCase()}_PUBLIC_URL`] : undefined;
  return outside?.replace(/\/+$/, '') || localAddress(around.host, around.ports[service], scheme);
}

/**
 * The dashboard's address for other machines; undefined when the gateway listens on the loopback interface alone.
 * @param {ServiceSurroundings} around
 */
export function lanAddress(around) {
  const { host, env, ports } = around;
  const isOpen = host === '0.0.0.0' || host === '::';
  const address = isOpen ? (env.RTC_ANNOUNCED_ADDRESS ?? lanInterface()) : isLoopback(host) ? undefined : host;
  const outside = env.GATEWAY_PUBLIC_URL ?? (address && localAddress(address, ports.gateway, schemeOf(env)));
  return outside && `${outside.replace(/\/+$/, '')}/dashboard`;
}

/** This machine's first address in a local network. */
export function lanInterface() {
  const addresses = Object.values(networkInterfaces()).flatMap(each => each ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

/** @param {string} host */
function isLoopback(host) {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** A service does not get the variables of npm and of the start program. @param {NodeJS.ProcessEnv} env */
function inherited(env) {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) =>
        !/^(npm_|RTMS_HOME$|NODE_OPTIONS$|(MANAGEMENT_)?PORT$|DATABASE_(OWNER_)?URL$|NATS_.*_PASSWORD$)/.test(name),
    ),
  );
}

/**
 * Each service gets what it needs: only the gateway knows the database and the secrets.
 * @param {ServiceName} service
 * @param {ServiceSurroundings} around
 * @returns {NodeJS.ProcessEnv}
 */
export function serviceEnvironment(service, around) {
  const { RTMS_SECRET_KEY, RTMS_PREVIOUS_SECRET_KEYS, RTMS_ADMIN_TOKEN, ...users } = inherited(around.env);
  const address = localAddress(around.host, around.ports[service], schemeOf(around.env));
  const outside = publicAddress(around, around.ports[service]);
  const shared = {
    LOG_LEVEL: 'info',
    // Node.js 22 and newer then load compiled modules: 10 to 17 % less CPU until a service is ready.
    NODE_COMPILE_CACHE: join(around.home, 'compile-cache'),
    ...users,
    RTMS_NODE_ID: `${service}-1`,
    NATS_URL: around.natsUrl,
    ...(around.busPasswords && { NATS_USER: service, NATS_PASSWORD: around.busPasswords[service] }),
    HOST: around.host,
    PORT: String(around.ports[service]),
  };
  switch (service) {
    case 'gateway':
      return { ...shared, ...gatewaySecrets(around), PUBLIC_URL: around.env.GATEWAY_PUBLIC_URL ?? outside };
    case 'sfu':
      return {
        ...shared,
        INTERNAL_URL: address,
        PUBLIC_URL: around.env.SFU_PUBLIC_URL ?? outside,
      };
    case 'transcoder':
      return {
        MEDIA_DIR: join(around.home, 'media'),
        ...shared,
        FFMPEG_PATH: around.ffmpeg,
        INTERNAL_URL: address,
        PUBLIC_URL: around.env.TRANSCODER_PUBLIC_URL ?? outside,
      };
    case 'ingest':
      return ingestEnvironment(around, { ...shared, INTERNAL_URL: address, outside });
  }
}

/**
 * A second installation on the machine has other ports, so the usual one of RTMP may be taken.
 * @param {ServiceSurroundings} around
 * @param {NodeJS.ProcessEnv & { outside: string }} shared
 */
function ingestEnvironment({ ports, ffmpeg, env }, { outside, ...shared }) {
  const RTMP_PORT = ports.ingest === servicePorts.ingest.standard ? '1935' : '0';
  return { RTMP_PORT, ...shared, FFMPEG_PATH: ffmpeg, PUBLIC_URL: env.INGEST_PUBLIC_URL ?? outside };
}

/** The gateway's database and secrets; also what its command line programs need. @param {ServiceSurroundings} around */
export function gatewaySecrets(around) {
  return {
    DATABASE_URL: around.databaseUrl,
    RTMS_SECRET_KEY: around.env.RTMS_SECRET_KEY ?? around.secrets.secretKey,
    RTMS_PREVIOUS_SECRET_KEYS: around.env.RTMS_PREVIOUS_SECRET_KEYS ?? '',
    RTMS_ADMIN_TOKEN: around.env.RTMS_ADMIN_TOKEN ?? around.secrets.adminToken,
  };
}

/**
 * @param {ServiceName} service
 * @param {ServiceSurroundings} around
 * @returns {import('./supervised-process.mjs').ProcessDescription}
 */
export function describeService(service, around) {
  mkdirSync(join(around.home, 'media'), { recursive: true });
  const health = `${localAddress(around.host, around.ports[service], schemeOf(around.env))}/readyz`;
  return {
    name: service,
    command: [process.execPath, join(around.root, 'apps', service, 'dist', 'main.js')],
    env: serviceEnvironment(service, around),
    cwd: around.root,
    logPath: join(around.home, 'logs', `${service}.log`),
    // SIGTERM would let the media services finish what runs.
    stopSignal: 'SIGINT',
    isReady: () => isHealthy(health),
    worthShowing: problemInServiceLog,
  };
}

/**
 * The certificate names the public host, which need not be this address.
 * @param {string} url
 * @returns {Promise<boolean>}
 */
export function isHealthy(url) {
  const request = url.startsWith('https:') ? overHttps : overHttp;
  return new Promise(resolve => {
    const sent = request(url, { timeout: 2_000, agent: false, rejectUnauthorized: false }, answer => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => resolve(false));
    sent.end();
  });
}
