import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { SnakeNamingStrategy } from './snake-naming.strategy.js';

/** A database that hangs must not make requests hang with it. */
const connectTimeoutMs = 3_000;
const defaultQueryTimeoutMs = 5_000;

export interface DatabaseLog {
  warn(details: object, message: string): void;
}

/** A connection of the pool. */
class WatchedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // An error without a listener ends the process, and between its making and its first use a connection has none.
    this.on('error', () => undefined);
    this.closeAfterTimeout();
  }

  /**
   * After `query_timeout` pg forgets a statement, but the server still executes it. A ROLLBACK waits behind the statement
   * and is forgotten as well. Back in the pool, the connection would keep the transaction and its locks, and the next
   * user's changes would never be committed. The same goes for an advisory lock that nobody knows to hold.
   */
  private closeAfterTimeout(): void {
    const query = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    this.query = ((...parameters: unknown[]) => {
      const answer = query(...parameters);
      if (answer instanceof Promise) answer.catch((error: unknown) => isReadTimeout(error) && this.close());
      return answer;
    }) as pg.Client['query'];
  }

  private close(): void {
    this.end().catch(() => undefined);
  }
}

function isReadTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Milliseconds; 0 is as long as it takes. */
interface DatabaseTimes {
  queryTimeoutMs?: number;
  /** How long a statement waits for a table or row; default: as long as its query may take. */
  lockTimeoutMs?: number;
}

/**
 * How every part of the gateway talks to PostgreSQL. A lost connection is only reported: the pool opens
 * the next one when a request needs it. With `queryTimeoutMs` 0 a query may take as long as it does.
 */
export function databaseOptions(
  url: string,
  log: DatabaseLog,
  { queryTimeoutMs = defaultQueryTimeoutMs, lockTimeoutMs }: DatabaseTimes = {},
): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    namingStrategy: new SnakeNamingStrategy(),
    applicationName: 'rtms-gateway',
    connectTimeoutMS: connectTimeoutMs,
    poolSize: 16,
    poolErrorHandler: (error: Error) => log.warn({ error: error.message }, 'a database connection was lost'),
    extra: {
      Client: WatchedClient,
      query_timeout: queryTimeoutMs,
      ...(lockTimeoutMs !== undefined && { options: `-c lock_timeout=${lockTimeoutMs}` }),
      keepAlive: true,
    },
  };
}

/**
 * PostgreSQL gives up a connection whose client is silent, after 11 s: a gateway that lost its power must not keep its
 * locks for the two hours that the system's own default takes.
 */
const keepalives = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3';

/** The one connection that has the advisory locks; it stays open while nothing fails. */
export function openLockPool(url: string, log: DatabaseLog): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    Client: WatchedClient,
    application_name: 'rtms-gateway-locks',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: defaultQueryTimeoutMs,
    options: keepalives,
    keepAlive: true,
    max: 1,
    idleTimeoutMillis: 0,
  });
  pool.on('error', error => log.warn({ error: error.message }, 'the connection with the locks was lost'));
  return pool;
}
