import type { DataSourceOptions } from 'typeorm';
import { SnakeNamingStrategy } from './snake-naming.strategy.js';

/** A database that hangs must not make requests hang with it. */
const connectTimeoutMs = 3_000;
const queryTimeoutMs = 5_000;

export interface DatabaseLog {
  warn(details: object, message: string): void;
}

/**
 * How every part of the gateway talks to PostgreSQL. A lost connection is only reported: the pool opens
 * the next one when a request needs it.
 */
export function databaseOptions(url: string, log: DatabaseLog): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    namingStrategy: new SnakeNamingStrategy(),
    applicationName: 'rtms-gateway',
    connectTimeoutMS: connectTimeoutMs,
    poolSize: 20,
    poolErrorHandler: (error: Error) => log.warn({ error: error.message }, 'a database connection was lost'),
    extra: { query_timeout: queryTimeoutMs, keepAlive: true },
  };
}
