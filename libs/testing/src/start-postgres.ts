import { randomBytes } from 'node:crypto';
import { chownSync, copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgresServer, type PostgresServer } from './postgres-server.mjs';
import { sharedServer } from './shared-server.js';

export interface TestPostgres {
  /** URL of the first database. */
  url: string;
  /** Of the administrator, in the database `postgres`. */
  serverUrl: string;
  /** Makes one more database, which is empty or a copy of the template; answers its URL. */
  createDatabase(): Promise<string>;
  /** Deletes the databases, and ends the server if it is this test's own. */
  stop(): Promise<void>;
  /** Ends the server and keeps its data; only with `dedicated`. */
  halt(): Promise<void>;
  /** Ends the server, if it runs, and starts it again on the same data; only with `dedicated`. */
  restart(): Promise<void>;
  /** Lets the server speak TLS with these; only with `dedicated`. */
  speakTls(pair: { cert: string; key: string }): Promise<void>;
}

/** The same database for the role that gateways serve with; the migrations make it. */
export function asServingRole(url: string): string {
  return Object.assign(new URL(url), { username: 'rtms_gateway', password: 'serving' }).href;
}

/** The contents that databases begin with. */
export interface DatabaseTemplate {
  /** Lower-case letters and underscores. */
  name: string;
  /** Fills an empty database. The server of a test run does so once, and then copies the result. */
  fill(url: string): Promise<unknown>;
}

export interface StartPostgresOptions {
  /** A server of this test's own, to be stopped and started; otherwise the whole run shares one. */
  dedicated?: boolean;
  /** Without it databases are empty. */
  template?: DatabaseTemplate;
}

/** A database on a real PostgreSQL. */
export async function startPostgres({ dedicated = false, template }: StartPostgresOptions = {}): Promise<TestPostgres> {
  const own = dedicated ? await startPostgresServer() : undefined;
  const serverUrl = own?.url ?? (await sharedServerUrl());
  const names: string[] = [];
  const createDatabase = async (): Promise<string> => {
    const name = randomName('test');
    const url = urlOf(serverUrl, name);
    // A given server outlives the run, and its template would keep the schema of today.
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

/** Measured: a template with all migrations copies in 76 ms of CPU by files, in 198 ms through the WAL. */
function creation(name: string, template = 'template1'): string {
  return `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`;
}

function randomName(prefix: string): string {
  return `${prefix}_${randomBytes(8).toString('hex')}`;
}

function urlOf(serverUrl: string, database: string): string {
  return Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href;
}

/** Any number that no other lock of the database `postgres` has. */
const templateLock = 7_786_400;

/**
 * Answers the name of the template's database. One process fills it while the others wait. PostgreSQL copies only a
 * database that nobody is connected to: the final name says that it is complete.
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
  if (!own) throw new Error('the shared server goes on; ask for startPostgres({ dedicated: true })');
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
    // The server takes no key that belongs to somebody else.
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
