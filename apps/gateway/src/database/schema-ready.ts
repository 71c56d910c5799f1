import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { databaseOptions, type DatabaseLog } from './data-source.js';
import { allMigrations } from './migrations/all-migrations.js';

interface SchemaReadyOptions {
  url: string;
  /** Between two looks. */
  retryMs: number;
  log: DatabaseLog & { info(details: object, message: string): void };
}

/** Resolves when every migration of this release has run, however long that takes. */
export async function schemaReady({ url, retryMs, log }: SchemaReadyOptions): Promise<void> {
  for (;;) {
    const missing = await missingMigrations(url, log).catch((error: unknown) => {
      log.warn({ err: error }, 'waiting for the database');
      return undefined;
    });
    if (missing?.length === 0) return log.info({}, 'the schema is up to date');
    if (missing) log.info({ missing }, 'waiting for migrations');
    await pause(retryMs);
  }
}

/** The names of this release's migrations that have not run in a database. Throws when it cannot be asked. */
export async function missingMigrations(url: string, log: DatabaseLog): Promise<string[]> {
  const database = await new DataSource(databaseOptions(url, log)).initialize();
  try {
    const run = await namesOfRun(database);
    return allMigrations.map(({ name }) => name).filter(name => !run.has(name));
  } finally {
    await database.destroy();
  }
}

/** An empty database has no list of them. */
async function namesOfRun(database: DataSource): Promise<Set<string>> {
  const [table] = await database.query<{ found: boolean }[]>(`SELECT to_regclass('migrations') IS NOT NULL AS found`);
  if (!table?.found) return new Set();
  const rows = await database.query<{ name: string }[]>('SELECT name FROM migrations');
  return new Set(rows.map(({ name }) => name));
}
