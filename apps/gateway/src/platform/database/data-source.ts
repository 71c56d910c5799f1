import type { Writable } from 'node:stream';
import pg from 'pg';
import { DefaultNamingStrategy, type DataSourceOptions } from 'typeorm';
import { isChangedResult } from './database-errors.js';

/** Without these limits, requests would hang as long as the database does. */
const connectTimeoutMs = 3_000;
const defaultQueryTimeoutMs = 5_000;

export interface DatabaseLog {
  warn(details: object, message: string): void;
}

/** `meetingID` → `meeting_id`. */
export function snakeCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

class SnakeNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? snakeCase(propertyName);
  }
}

/** Statements that a connection keeps prepared at most. It parses and plans all others at each use. */
const mostPrepared = 300;
/** In letters. Long texts have lists of values, so that each is rare. */
const longestPrepared = 8_000;

/** A connection of a pool. */
class WatchedClient extends pg.Client {
  /** Of prepared statements, by their texts. */
  private readonly names = new Map<string, string>();

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // An 'error' event without a listener ends the process. Before its first use a connection has no other listener.
    this.on('error', () => undefined);
    this.adaptQueries();
  }

  /**
   * PostgreSQL parses and plans a statement once for a connection, see docs/decisions/prepared-statements.md.
   *
   * After `query_timeout` pg stops waiting, but the server still executes the statement. A ROLLBACK queues behind it and times out
   * too. Back in the pool, the connection would keep its transaction and locks, and lose the next user's changes. So it is closed.
   */
  private adaptQueries(): void {
    const query = this.query.bind(this) as (...parameters: unknown[]) => unknown;
    this.query = ((...parameters: unknown[]) => {
      this.gather();
      const [text, values] = parameters;
      const isStatement = typeof text === 'string' && Array.isArray(values) && parameters.length === 2;
      const answer = isStatement ? query({ text, values, name: this.nameOf(text) }) : query(...parameters);
      if (answer instanceof Promise) answer.catch((error: unknown) => isUnusableAfter(error) && this.close());
      return answer;
    }) as pg.Client['query'];
  }

  /** Undefined: the statement is not prepared. */
  private nameOf(text: string): string | undefined {
    const { names } = this;
    if (!names.has(text) && names.size < mostPrepared && text.length <= longestPrepared)
      names.set(text, `s${names.size + 1}`);
    return names.get(text);
  }

  /** Sends the statements of one turn of the event loop by one system call. */
  private gather(): void {
    const { stream } = (this as unknown as { connection: { stream: Writable } }).connection;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  private close(): void {
    this.end().catch(() => undefined);
  }
}

function isUnusableAfter(error: unknown): boolean {
  return isChangedResult(error) || (error instanceof Error && error.message === 'Query read timeout');
}

/** In milliseconds; 0 means no limit. */
interface DatabaseTimes {
  queryTimeoutMs?: number;
  /** The limit to wait for a table or row. Default: the limit of the query. */
  lockTimeoutMs?: number;
}

/** The options of every DataSource of the gateway. A lost connection is only logged: the pool opens another when needed. */
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
      // Statements of one connection that do not wait for each other's results are sent at once. PostgreSQL runs them in order.
      pipeline: true,
      query_timeout: queryTimeoutMs,
      ...(lockTimeoutMs !== undefined && { options: `-c lock_timeout=${lockTimeoutMs}` }),
      keepAlive: true,
    },
  };
}

/** PostgreSQL drops a silent client after 11 s, not after the system's default of two hours. So a dead gateway loses its locks soon. */
const keepalives = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3';

/** A pool of one connection, which holds the advisory locks and stays open until it fails. */
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
