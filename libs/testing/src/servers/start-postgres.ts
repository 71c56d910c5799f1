import { randomBytes } from 'node:crypto';
import { chownSync, copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgresServer, type PostgresServer } from './postgres-server.mjs';
import { sharedServer } from './shared-server.js';

export interface TestPostgres {
  /** URL of the first database. */
  url: string;
  /** Administrator's URL of the database `postgres`. */
  serverUrl: string;
  /** Creates another database, empty or from the template. Returns its URL. */
  createDatabase(): Promise<string>;
  /** Deletes the databases and stops a dedicated server. */
  stop(): Promise<void>;
  /** Stops the server and keeps its data. Requires `dedicated`. */
  halt(): Promise<void>;
  /** Restarts the server with the same data. Requires `dedicated`. */
  restart(): Promise<void>;
  /** Enables TLS with these files. Requires `dedicated`. */
  speakTls(pair: { cert: string; key: string }): Promise<void>;
}

/** Returns the URL for the gateway's role, which the migrations create. */
export function asServingRole(url: string): string {
  return Object.assign(new URL(url), { username: 'rtms_gateway', password: 'serving' }).href;
}

/** Initial contents of databases. */
export interface DatabaseTemplate {
  /** Lower-case letters and underscores. */
  name: string;
  /** Fills an empty database. A test run calls it once and then copies the result. */
  fill(url: string): Promise<unknown>;
}

export interface StartPostgresOptions {
  /** Starts a server for this test, which it can stop and restart. Default: the run's shared server. */
  dedicated?: boolean;
  /** Default: empty databases. */
  template?: DatabaseTemplate;
}

/** Creates a database on a real PostgreSQL server. */
export async function startPostgres({ dedicated = false, template }: StartPostgresOptions = {}): Promise<TestPostgres> {
  const own = dedicated ? await startPostgresServer() : undefined;
  const serverUrl = own?.url ?? (await sharedServerUrl());
  const names: string[] = [];
  const createDatabase = async (): Promise<string> => {
    const name = randomName('test');
    const url = urlOf(serverUrl, name);
    // An external server outlives the run, so a template there would keep an old schema.
    const isCopied = template !== undefined && serverUrl !== givenServerUrl();
    await withClient(serverUrl, async client => {
      const source = isCopied ? await ensureTemplate(client, serverUrl, template) : undefined;
      await client.query(creation(name, source));
    });
    names.push(name);
    if (!isCopied) await template?.fill(url);
    return url;
  };
  return { url: await createDatabase(), serverUrl, createDatabase, ...lifetime(own, serverUrl, names) };
}

/** Measured in memory: a template with all migrations copies in 14 ms of CPU by files, in 31 ms through the WAL. */
function creation(name: string, template = 'template1'): string {
  return `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`;
}

function randomName(prefix: string): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`;
}

function urlOf(serverUrl: string, database: string): string {
  return Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href;
}

/** Unique advisory lock of the database `postgres`. */
const templateLock = 7_786_400;

/**
 * Returns the name of the template database. One process fills it while others wait. PostgreSQL copies only a database without
 * connections, so the final name marks it as complete.
 */
async function ensureTemplate(client: pg.Client, serverUrl: string, template: DatabaseTemplate): Promise<string> {
  const final = `template_${template.name}`;
  if (await databaseExists(client, final)) return final;
  await client.query('SELECT pg_advisory_lock($1)', [templateLock]);
  try {
    if (await databaseExists(client, final)) return final;
    const unfinished = randomName('unfinished');
    await client.query(creation(unfinished));
    await template.fill(urlOf(serverUrl, unfinished));
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${final}`);
    return final;
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [templateLock]);
  }
}

async function databaseExists(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  return rowCount === 1;
}

function lifetime(
  own: PostgresServer | undefined,
  serverUrl: string,
  names: string[],
): Pick<TestPostgres, 'stop' | 'halt' | 'restart' | 'speakTls'> {
  return {
    async stop() {
      if (own) return own.stop();
      await withClient(serverUrl, async client => {
        for (const name of names.splice(0)) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      });
    },
    halt: () => dedicatedServer(own).halt(),
    restart: () => dedicatedServer(own).restart(),
    speakTls: pair => switchTlsOn(dedicatedServer(own).url, pair),
  };
}

function dedicatedServer(own: PostgresServer | undefined): PostgresServer {
  if (!own) throw new Error('only a dedicated server can be stopped: use startPostgres({ dedicated: true })');
  return own;
}

function givenServerUrl(): string | undefined {
  return process.env['RTMS_TEST_DATABASE_URL'];
}

async function sharedServerUrl(): Promise<string> {
  return givenServerUrl() ?? (await sharedServer('POSTGRES'));
}

async function switchTlsOn(url: string, { cert, key }: { cert: string; key: string }): Promise<void> {
  await withClient(url, async client => {
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    const directory = rows[0]?.data_directory ?? '';
    // The server accepts only a key of its own user.
    const { uid, gid } = statSync(directory);
    for (const [from, name] of [[cert, 'server.crt'] as const, [key, 'server.key'] as const]) {
      copyFileSync(from, join(directory, name));
      chownSync(join(directory, name), uid, gid);
    }
    await client.query('ALTER SYSTEM SET ssl = on');
    await client.query('SELECT pg_reload_conf()');
  });
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
