import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { sweepLeftovers } from './sweep-leftovers.mjs';
import { waitFor } from './wait-for.js';

export interface TestNats {
  url: string;
  /** Of the server that runs now; another one after `restart`. */
  readonly pid: number;
  /** Ends the server and deletes its store. */
  stop(): Promise<void>;
  /** Ends it at once and keeps the store, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same port; `fresh` on an empty store. */
  restart(options?: { fresh?: boolean }): Promise<void>;
}

/** A real `nats-server` with JetStream on a port and a store of its own. */
export async function startNats(): Promise<TestNats> {
  sweepLeftovers();
  const directory = await mkdtemp(join(tmpdir(), `rtms-test-nats-${process.pid}-`));
  const { port, server: first } = await launchAnywhere(directory);
  let server = first;
  return {
    url: `nats://127.0.0.1:${port}`,
    get pid() {
      return server.pid ?? 0;
    },
    async stop() {
      await end(server, 'SIGTERM');
      await rm(directory, { recursive: true, force: true });
    },
    kill: () => end(server, 'SIGKILL'),
    async restart({ fresh = false } = {}) {
      await end(server, 'SIGTERM');
      if (fresh) await rm(join(directory, 'jetstream'), { recursive: true, force: true });
      server = await launch(port, directory);
    },
  };
}

/** Another program may take a free port before the server does. */
async function launchAnywhere(directory: string, attempts = 3): Promise<{ port: number; server: ChildProcess }> {
  const port = await freePort();
  try {
    return { port, server: await launch(port, directory) };
  } catch (error) {
    if (attempts <= 1) throw error;
    return launchAnywhere(directory, attempts - 1);
  }
}

async function launch(port: number, directory: string): Promise<ChildProcess> {
  const place = ['--store_dir', directory, '--pid', join(directory, 'server.pid')];
  const server = spawn('nats-server', ['--jetstream', '--addr', '127.0.0.1', '--port', String(port), ...place], {
    stdio: 'ignore',
  });
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
