import { randomBytes } from 'node:crypto';
import { chownSync, copyFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { startPostgresServer, type PostgresServer } from './postgres-server.mjs';

export interface TestPostgres {
  /** Of an empty database. */
  url: string;
  /** Of the administrator, in the database `postgres`. */
  serverUrl: string;
  /** Makes one more empty database; answers its URL. */
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

export interface StartPostgresOptions {
  /** A server of this test's own, to be stopped and started; otherwise the whole run shares one. */
  dedicated?: boolean;
}

/** An empty database on a real PostgreSQL. */
export async function startPostgres({ dedicated = false }: StartPostgresOptions = {}): Promise<TestPostgres> {
  const own = dedicated ? await startPostgresServer() : undefined;
  const serverUrl = own?.url ?? (await sharedServerUrl());
  const names: string[] = [];
  const createDatabase = async (): Promise<string> => {
    const name = `test_${randomBytes(8).toString('hex')}`;
    await query(serverUrl, `CREATE DATABASE ${name}`);
    names.push(name);
    return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
  };
  return { url: await createDatabase(), serverUrl, createDatabase, ...lifetime(own, serverUrl, names) };
}

function lifetime(
  own: PostgresServer | undefined,
  serverUrl: string,
  names: string[],
): Pick<TestPostgres, 'stop' | 'halt' | 'restart' | 'speakTls'> {
  return {
    async stop() {
      if (own) return own.stop();
      for (const name of names.splice(0)) await query(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
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

/** The global set-up starts the shared server when it is first asked for. */
async function sharedServerUrl(): Promise<string> {
  const given = process.env['RTMS_TEST_DATABASE_URL'];
  if (given) return given;
  const socketPath = process.env['RTMS_TEST_POSTGRES_SOCKET'];
  if (!socketPath) throw new Error('set RTMS_TEST_DATABASE_URL, or run with the global set-up of jest.config.js');
  const answer = await text(connect(socketPath));
  if (!answer.startsWith('postgres://')) throw new Error(`PostgreSQL did not start: ${answer}`);
  return answer;
}

async function switchTlsOn(url: string, { cert, key }: { cert: string; key: string }): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
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
  } finally {
    await client.end();
  }
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
