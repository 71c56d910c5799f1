import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { SnakeNamingStrategy } from './snake-naming.strategy.js';

/** A database that hangs must not make requests hang with it. */
const connectTimeoutMs = 3_000;
const defaultQueryTimeoutMs = 5_000;

export interface DatabaseLog {
  warn(details: object, message: string): void;
}

/**
 * Between its making and its first use nobody listens to a connection's errors, and an error without a listener
 * ends the process; the server may well shut down in that moment.
 */
class WatchedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
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
    poolSize: 20,
    poolErrorHandler: (error: Error) => log.warn({ error: error.message }, 'a database connection was lost'),
    extra: {
      Client: WatchedClient,
      query_timeout: queryTimeoutMs,
      ...(lockTimeoutMs !== undefined && { options: `-c lock_timeout=${lockTimeoutMs}` }),
      keepAlive: true,
    },
  };
}
