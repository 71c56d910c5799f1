import { systemClock, type Clock } from '@rtms/clock';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { isDatabaseUnavailable, isLockTimeout } from './database-errors.js';
import { databaseOptions, type DatabaseLog } from './data-source.js';
import { allMigrations } from './migrations/all-migrations.js';
import { readMigrations, requireUpgradable } from './schema-state.js';
import { admitServingRole, protectMigrations, servingRoleOf } from './serving-role.js';

/** Arbitrary, but unique among the advisory locks of the database. */
const lockNumber = 7_786_300;
const retryMs = 500;

/** While a migration waits for a table, all later statements on that table wait too. So it gives up soon. */
const defaultTableWaitMs = 2_000;
const attempts = 100;

export interface MigrationOptions {
  /** With the role that owns the tables. */
  url: string;
  /** With the role of the gateways, which gets its rights here. Default: the owner. */
  servingUrl?: string | undefined;
  /** Time to wait for a database that does not answer yet. */
  waitMs: number;
  log: DatabaseLog;
  /** Time to wait for a table in one attempt. Other statements run between two attempts. */
  tableWaitMs?: number;
  /** Default: the system clock. */
  clock?: Clock;
  /** Default: the migrations of this version. */
  migrations?: readonly (new () => MigrationInterface)[];
}

/**
 * Brings the schema up to date, also while gateways run. Of several runs at once, one migrates and the others then find nothing to do.
 * Returns the names of the applied migrations. Throws `SchemaMismatchError` for a database from before the first release, and changes
 * nothing.
 */
export async function runMigrations(options: MigrationOptions): Promise<string[]> {
  const { clock = systemClock, log, url, servingUrl = url } = options;
  const database = await connectWithin(options, clock);
  const role = servingRoleOf(servingUrl);
  const isOwner = role.name === servingRoleOf(url).name;
  try {
    return await underLock(database, clock, async () => {
      await requireUpgradable(database);
      if (!isOwner) await admitServingRole(database, role);
      const run = await runAll(database, clock, log);
      if (!isOwner) await protectMigrations(database, role);
      return run;
    });
  } finally {
    await database.destroy();
  }
}

/** Migrations that ran before a table was busy stay committed. */
async function runAll(database: DataSource, clock: Clock, log: DatabaseLog): Promise<string[]> {
  const before = await readMigrations(database);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.runMigrations({ transaction: 'each' });
      return (await readMigrations(database)).slice(before.length);
    } catch (error) {
      if (!isLockTimeout(error) || attempt === attempts) throw error;
      log.warn({ attempt }, 'a table is busy: the migration tries again');
      await clock.pause(retryMs);
    }
  }
}

async function connectWithin(
  { url, waitMs, log, tableWaitMs, migrations = allMigrations }: MigrationOptions,
  clock: Clock,
): Promise<DataSource> {
  // Building an index may take long, so queries have no limit.
  const options = databaseOptions(url, log, { queryTimeoutMs: 0, lockTimeoutMs: tableWaitMs ?? defaultTableWaitMs });
  const end = clock.now() + waitMs;
  for (;;) {
    try {
      return await new DataSource({ ...options, migrations: [...migrations] }).initialize();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || clock.now() + retryMs > end) throw error;
      log.warn({}, 'waiting for the database');
      await clock.pause(retryMs);
    }
  }
}

async function underLock<T>(database: DataSource, clock: Clock, work: () => Promise<T>): Promise<T> {
  const session = database.createQueryRunner();
  try {
    // Polls: a statement that waits for the lock would block the building of indexes.
    while (!(await tryLock(session))) await clock.pause(retryMs);
    return await work();
  } finally {
    await session.query('SELECT pg_advisory_unlock($1)', [lockNumber]).catch(() => undefined);
    await session.release();
  }
}

async function tryLock(session: QueryRunner): Promise<boolean> {
  const rows: unknown = await session.query('SELECT pg_try_advisory_lock($1) AS locked', [lockNumber]);
  return Array.isArray(rows) && (rows[0] as { locked?: unknown }).locked === true;
}
