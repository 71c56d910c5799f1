import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { isDatabaseUnavailable } from './database-errors.js';
import { databaseOptions, type DatabaseLog } from './data-source.js';
import { allMigrations } from './migrations/all-migrations.js';

/** Any number that no other program locks by in this database. */
const lockNumber = 7_786_300;
const retryMs = 500;

export interface MigrationOptions {
  url: string;
  /** How long to wait for a database that does not answer yet. */
  waitMs: number;
  log: DatabaseLog;
}

/**
 * Brings the schema up to date. Of several that run at once, one works and the others find it done.
 * Answers the names of the migrations that were run.
 */
export async function runMigrations({ url, waitMs, log }: MigrationOptions): Promise<string[]> {
  const database = await connectWithin(url, waitMs, log);
  try {
    return await underLock(database, async () => {
      const run = await database.runMigrations({ transaction: 'each' });
      return run.map(migration => migration.name);
    });
  } finally {
    await database.destroy();
  }
}

async function connectWithin(url: string, waitMs: number, log: DatabaseLog): Promise<DataSource> {
  // Waiting for the lock and building indexes may take long: no limit to a query here.
  const options = { ...databaseOptions(url, log, { queryTimeoutMs: 0 }), migrations: allMigrations };
  const end = Date.now() + waitMs;
  for (;;) {
    try {
      return await new DataSource(options).initialize();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || Date.now() + retryMs > end) throw error;
      log.warn({}, 'waiting for the database');
      await pause(retryMs);
    }
  }
}

async function underLock<T>(database: DataSource, work: () => Promise<T>): Promise<T> {
  const session = database.createQueryRunner();
  try {
    await session.query('SELECT pg_advisory_lock($1)', [lockNumber]);
    return await work();
  } finally {
    await session.query('SELECT pg_advisory_unlock($1)', [lockNumber]).catch(() => undefined);
    await session.release();
  }
}
