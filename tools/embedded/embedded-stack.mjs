import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { say, seconds, step } from '../setup/progress.mjs';
import { StartFailure } from '../setup/start-failure.mjs';
import { demoAccount, migrate } from './demo-account.mjs';
import { readyLines } from './greeting.mjs';
import { describeNats } from './nats-server.mjs';
import { ownPort } from './ports.mjs';
import { describePostgres, ensureDatabase } from './postgres-server.mjs';
import { writePrivateJson } from './private-file.mjs';
import { describeProxy } from './https-proxy.mjs';
import { busPasswords, installationSecrets } from './secrets.mjs';
import {
  describeService,
  gatewaySecrets,
  lanAddress,
  schemeOf,
  serviceEnvironment,
  shownAddress,
} from './services.mjs';
import { readSetupLink } from './setup-link.mjs';
import { SupervisedProcess } from './supervised-process.mjs';

/** @typedef {import('./ports.mjs').ServiceName} ServiceName */
/** @typedef {import('./services.mjs').ServiceSurroundings} ServiceSurroundings */

/**
 * @typedef {object} StackOptions
 * @property {string} root
 * @property {string} home
 * @property {string} host
 * @property {NodeJS.ProcessEnv} env
 * @property {Record<ServiceName, number>} ports
 * @property {import('../setup/programs.mjs').Programs} programs
 * @property {import('./process-ledger.mjs').ProcessLedger} ledger
 * @property {{ settings: import('./https-proxy.mjs').HttpsProxy, program: string } | undefined} proxy
 */

/** PostgreSQL, NATS and the services, which start and stop together. */
export class EmbeddedStack {
  #options;
  /** In the order they were started in. @type {SupervisedProcess[]} */
  #servers = [];
  /** @type {SupervisedProcess[]} */
  #services = [];
  #readyFile;
  #closing = false;
  /** @type {Promise<void> | undefined} */
  #closed;

  /** @param {StackOptions} options */
  constructor(options) {
    this.#options = options;
    this.#readyFile = join(options.home, 'ready.json');
  }

  async start() {
    const begun = Date.now();
    const { env, home } = this.#options;
    rmSync(this.#readyFile, { force: true });
    const secrets = installationSecrets(home);
    const [{ databaseUrl, databaseOwnerUrl }, natsUrl] = await Promise.all([
      this.#database(secrets),
      env.NATS_URL || this.#startNats(secrets.bus),
    ]);
    const around = {
      ...{ ...this.#options, ffmpeg: this.#options.programs.ffmpeg, databaseUrl, natsUrl, secrets },
      busPasswords: busPasswords(env, secrets.bus),
    };
    // The media services need no database, and no service waits for another.
    const [account] = await Promise.all([
      this.#startGateway(around, databaseOwnerUrl),
      this.#startService('sfu', around),
      this.#startService('transcoder', around),
      this.#startService('ingest', around),
      this.#startProxy(),
    ]);
    if (this.#closing) return;
    const ready = readyContent(around, account);
    writePrivateJson(this.#readyFile, ready);
    const isNew = account.created || account.isNewSignIn === true;
    const took = seconds(Date.now() - begun);
    const setupLink = isNew ? await readSetupLink(ready) : undefined;
    for (const line of readyLines(ready, { took, home, isNew, caFile: env.NODE_EXTRA_CA_CERTS, setupLink })) say(line);
  }

  /** Services first, then NATS, then PostgreSQL; each has ten seconds before it is killed. Safe to call twice. */
  close() {
    this.#closing = true;
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close() {
    rmSync(this.#readyFile, { force: true });
    await Promise.all(this.#services.map(service => service.close()));
    for (const server of this.#servers.toReversed()) await server.close();
    this.#options.ledger.close();
  }

  /**
   * The gateway serves with a role that may only read and write rows. Migrations run as the owner of the tables.
   * @param {import('./secrets.mjs').Secrets} secrets
   */
  async #database({ databasePassword, servingPassword }) {
    const { DATABASE_URL: databaseUrl, DATABASE_OWNER_URL } = this.#options.env;
    if (databaseUrl) return { databaseUrl, databaseOwnerUrl: DATABASE_OWNER_URL || databaseUrl };
    const databaseOwnerUrl = await this.#startPostgres(databasePassword);
    const serving = Object.assign(new URL(databaseOwnerUrl), { username: 'rtms_gateway', password: servingPassword });
    return { databaseUrl: serving.href, databaseOwnerUrl };
  }

  /** @param {string} password */
  async #startPostgres(password) {
    const { home, root } = this.#options;
    const port = await ownPort(home, 'postgres');
    const { url, description } = await describePostgres({ root, home, port, password });
    const server = this.#supervise(description);
    this.#servers.unshift(server);
    await step('Starting PostgreSQL', () => server.start());
    await ensureDatabase(url);
    return url;
  }

  /** @param {import('./secrets.mjs').BusPasswords} passwords */
  async #startNats(passwords) {
    const { root, home, programs } = this.#options;
    const program = programs.natsServer;
    if (program === undefined) throw new StartFailure('nats-server is missing: install it, or set NATS_URL.');
    const { url, description } = describeNats({ program, root, home, passwords, port: await ownPort(home, 'nats') });
    const server = this.#supervise(description);
    this.#servers.push(server);
    await step('Starting NATS', () => server.start());
    return url;
  }

  /** @param {ServiceSurroundings} around @param {string} databaseOwnerUrl */
  async #startGateway(around, databaseOwnerUrl) {
    const { home, root } = this.#options;
    const environment = serviceEnvironment('gateway', around);
    await migrate(root, { ...environment, DATABASE_OWNER_URL: databaseOwnerUrl });
    const account = await demoAccount(root, home, environment);
    await this.#startService('gateway', around);
    return account;
  }

  /** @param {ServiceName} name @param {ServiceSurroundings} around */
  async #startService(name, around) {
    const service = this.#supervise(describeService(name, around));
    this.#services.push(service);
    await step(`Starting the ${name}`, () => service.start());
  }

  async #startProxy() {
    const { proxy, root, home, ports } = this.#options;
    if (!proxy) return;
    const server = this.#supervise(describeProxy(proxy.settings, { program: proxy.program, root, home, ports }));
    this.#services.push(server);
    await step('Starting Caddy', () => server.start());
  }

  /** @param {import('./supervised-process.mjs').ProcessDescription} description */
  #supervise(description) {
    if (this.#closing) throw new StartFailure('Stopped while starting.');
    return new SupervisedProcess(description, this.#options.ledger);
  }
}

/**
 * Makes the directory that holds everything of an installation, for its owner only.
 * @param {string} home
 */
export function makeHome(home) {
  for (const path of [home, ...['logs', 'media'].map(name => join(home, name))]) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    // An earlier installation may have been open to others.
    chmodSync(path, 0o700);
  }
}

/**
 * @param {ServiceSurroundings} around
 * @param {import('./demo-account.mjs').DemoAccount} account
 * @returns {import('./greeting.mjs').ReadyFile}
 */
function readyContent(around, account) {
  const gateway = shownAddress('gateway', around);
  const lan = lanAddress(around);
  // The cookie of a sign-in by HTTPS is not for the local address.
  const isProxied = schemeOf(around.env) === 'http' && lan?.startsWith('https:');
  return {
    gateway,
    sfu: shownAddress('sfu', around),
    transcoder: shownAddress('transcoder', around),
    ingest: shownAddress('ingest', around),
    apiUserName: account.apiUserName,
    apiKey: account.apiKey,
    adminToken: gatewaySecrets(around).RTMS_ADMIN_TOKEN,
    dashboard: (isProxied && lan) || `${gateway}/dashboard`,
    lan,
    email: account.signIn?.email,
    password: account.signIn?.password,
    adminEmail: account.signIn?.adminEmail,
    adminPassword: account.signIn?.adminPassword,
  };
}
