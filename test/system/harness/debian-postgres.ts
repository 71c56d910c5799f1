import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, waitFor } from '@rtms/testing';
import pg from 'pg';

const run = promisify(execFile);
const packages = '/usr/lib/postgresql';

export interface DebianPostgres {
  /** Of the administrator, in the database `postgres`. */
  adminUrl: string;
  /** The same server by another role and database. */
  urlOf(role: string, password: string, database: string): string;
  query(statement: string): Promise<void>;
  close(): Promise<void>;
}

/** The system's PostgreSQL with pg_dump and pg_restore, on its own port and in its own directory. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const directory = await mkdtemp(join(tmpdir(), `rtms-test-debian-postgres-${process.pid}-`));
  const [data, passwordFile] = [join(directory, 'data'), join(directory, 'password')];
  await Promise.all([mkdir(data), writeFile(passwordFile, 'administrator')]);
  const identity = await identityOf([directory, data, passwordFile]);
  const programs = programDirectory();
  await chmod(data, 0o700);
  const options = ['--auth=scram-sha-256', '--username=postgres', '--encoding=UTF8', '--no-sync'];
  const initialise = [
    '--pdeathsig',
    'TERM',
    ...identity,
    join(programs, 'initdb'),
    '-D',
    data,
    `--pwfile=${passwordFile}`,
    ...options,
  ];
  await run('setpriv', initialise, { cwd: '/' });
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'].flatMap(each => [
    '-c',
    each,
  ]);
  const command = [join(programs, 'postgres'), '-D', data, '-p', String(port), ...settings];
  const server = spawn('setpriv', ['--pdeathsig', 'TERM', ...identity, ...command], { cwd: '/', stdio: 'ignore' });
  const urlOf = (role: string, password: string, database: string) =>
    `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
  const adminUrl = urlOf('postgres', 'administrator', 'postgres');
  const query = (statement: string) => queryAt(adminUrl, statement);
  await waitFor(
    () =>
      query('SELECT 1').then(
        () => true,
        () => false,
      ),
    { what: 'PostgreSQL' },
  );
  return {
    adminUrl,
    urlOf,
    query,
    async close() {
      const gone = once(server, 'exit');
      server.kill('SIGINT');
      await gone;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root; Debian's package makes a user for it. */
async function identityOf(paths: string[]): Promise<string[]> {
  if (process.getuid?.() !== 0) return [];
  const [user, group] = await Promise.all(
    ['-u', '-g'].map(async flag => Number((await run('id', [flag, 'postgres'])).stdout)),
  );
  for (const path of paths) await chown(path, user ?? 0, group ?? 0);
  return [`--reuid=${user}`, `--regid=${group}`, '--clear-groups'];
}

function programDirectory(): string {
  const versions = existsSync(packages) ? readdirSync(packages).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map(version => join(packages, version, 'bin')).find(path => existsSync(join(path, 'initdb')));
  if (!found) throw new Error('Debian has no PostgreSQL here: npm run setup installs it.');
  return found;
}

async function queryAt(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
