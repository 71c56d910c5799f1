import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.mjs';
import { sweepLeftovers } from './sweep-leftovers.mjs';
import { waitFor } from '../waiting/wait-for.js';

/** Options for a service's connection: `NatsBus.connect({ ...nats.as('sfu'), name })`. */
export interface TestBusUser {
  url: string;
  user: string;
  password: string;
  service: string;
  provision: 'create' | 'await';
}

export interface TestNats {
  url: string;
  /** Credentials of a service. Not for an `open` server. */
  as(service: BusService): TestBusUser;
  /** The same as environment variables. */
  environment(service: BusService): { NATS_URL: string; NATS_USER: string; NATS_PASSWORD: string };
  /** Process id of the current server. It changes after `restart`. */
  readonly pid: number;
  /** Stops the server and deletes its store. */
  stop(): Promise<void>;
  /** Kills the server and keeps the store, like a crash. */
  kill(): Promise<void>;
  /** Restarts the server on the same port, optionally with an empty store (`fresh`) or other passwords. */
  restart(options?: { fresh?: boolean; passwords?: Record<BusService, string> }): Promise<void>;
}

export type BusService = 'gateway' | 'sfu' | 'transcoder' | 'ingest';

export interface StartNatsOptions {
  /** Disables authorization, for tests of the bus itself. */
  open?: boolean;
  /** Additional arguments of `nats-server`. */
  args?: readonly string[];
}

const authorization = fileURLToPath(new URL('../../../../deploy/nats/authorization.conf', import.meta.url));

/** Starts a `nats-server` with JetStream, its own port and store, and the permissions of every installation. */
export async function startNats({ open = false, args = [] }: StartNatsOptions = {}): Promise<TestNats> {
  sweepLeftovers();
  const directory = await mkdtemp(join(tmpdir(), `rtms-test-nats-${process.pid}-`));
  const passwords = {
    ...{ gateway: makePassword(), sfu: makePassword() },
    ...{ transcoder: makePassword(), ingest: makePassword() },
  };
  const how: Launch = { directory, args: [...(open ? [] : ['--config', authorization]), ...args], passwords };
  const { port, server: first } = await launchAnywhere(how);
  let server = first;
  const url = `nats://127.0.0.1:${port}`;
  return {
    url,
    as: service => ({
      ...{ url, user: service, password: passwords[service], service },
      provision: service === 'gateway' ? 'create' : 'await',
    }),
    environment: service => ({ NATS_URL: url, NATS_USER: service, NATS_PASSWORD: passwords[service] }),
    get pid() {
      return server.pid ?? 0;
    },
    async stop() {
      await end(server, 'SIGTERM');
      await rm(directory, { recursive: true, force: true });
    },
    kill: () => end(server, 'SIGKILL'),
    async restart({ fresh = false, passwords: others } = {}) {
      Object.assign(passwords, others);
      await end(server, 'SIGTERM');
      if (fresh) await rm(join(directory, 'jetstream'), { recursive: true, force: true });
      server = await launch(port, how);
    },
  };
}

interface Launch {
  directory: string;
  args: readonly string[];
  passwords: Record<BusService, string>;
}

/** Starts with a letter, as the server's configuration requires. */
function makePassword(): string {
  return `p${randomBytes(12).toString('hex')}`;
}

function serverEnvironment(passwords: Record<BusService, string>): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    NATS_GATEWAY_PASSWORD: passwords.gateway,
    NATS_SFU_PASSWORD: passwords.sfu,
    NATS_TRANSCODER_PASSWORD: passwords.transcoder,
    NATS_INGEST_PASSWORD: passwords.ingest,
  };
}

/** Retries, because another program may take the free port first. */
async function launchAnywhere(how: Launch, attempts = 3): Promise<{ port: number; server: ChildProcess }> {
  const port = await freePort();
  try {
    return { port, server: await launch(port, how) };
  } catch (error) {
    if (attempts <= 1) throw error;
    return launchAnywhere(how, attempts - 1);
  }
}

async function launch(port: number, { directory, args, passwords }: Launch): Promise<ChildProcess> {
  const place = ['--store_dir', directory, '--pid', join(directory, 'server.pid')];
  const options = ['--jetstream', '--addr', '127.0.0.1', '--port', String(port), ...place, ...args];
  const server = spawn('nats-server', options, { stdio: 'ignore', env: serverEnvironment(passwords) });
  await once(server, 'spawn');
  await waitFor(() => server.exitCode !== null || answers(port), { what: 'nats-server to listen' });
  if (server.exitCode !== null) throw new Error(`nats-server ended with code ${server.exitCode}`);
  return server;
}

async function end(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill(signal);
  await exited;
}

function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
