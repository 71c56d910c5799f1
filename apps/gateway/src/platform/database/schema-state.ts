import { DataSource, type QueryRunner } from 'typeorm';
import { databaseOptions, type DatabaseLog } from './data-source.js';
import { allMigrations } from './migrations/all-migrations.js';

interface Queryable {
  query<Rows>(statement: string): Promise<Rows>;
}

/** This version of the gateway cannot work with the schema of the database. */
export class SchemaMismatchError extends Error {}

const known = allMigrations.map(({ name }) => name);

/**
 * Call it in a migration that breaks gateways without that migration: they become unready and do not start. Use it only for the last
 * step of a change, when no gateway needs the old schema.
 */
export async function requireGateways(queryRunner: QueryRunner, migration: string): Promise<void> {
  await queryRunner.query('INSERT INTO schema_requirements (migration) VALUES ($1)', [migration]);
}

/** Throws `SchemaMismatchError` when the migrations cannot bring the database up to date. */
export async function requireUpgradable(database: Queryable): Promise<void> {
  const problem = unreleasedProblem({ run: await readMigrations(database), known });
  if (problem !== undefined) throw new SchemaMismatchError(problem);
}

/** Returns why this gateway cannot work with the database, or undefined if it can. */
export async function readSchemaProblem(database: Queryable): Promise<string | undefined> {
  const run = await readMigrations(database);
  const behind = schemaProblem({ run, required: [], known });
  return behind ?? schemaProblem({ run, required: await namesIn(database, 'schema_requirements', 'migration'), known });
}

/** Returns the names of the applied migrations in their order. */
export function readMigrations(database: Queryable): Promise<string[]> {
  return namesIn(database, 'migrations', 'name', 'id');
}

/** Returns an empty list if the table does not exist yet. */
async function namesIn(database: Queryable, table: string, column: string, order = column): Promise<string[]> {
  const [found] = await database.query<{ id: string | null }[]>(`SELECT to_regclass('${table}')::text AS id`);
  if (!found?.id) return [];
  const rows = await database.query<{ name: string }[]>(`SELECT ${column} AS name FROM ${table} ORDER BY ${order}`);
  return rows.map(({ name }) => name);
}

/** Checks the schema before the gateway starts. Throws `SchemaMismatchError`. */
export async function requireSchema(url: string, log: DatabaseLog): Promise<void> {
  const database = await new DataSource(databaseOptions(url, log)).initialize();
  try {
    const problem = await readSchemaProblem(database);
    if (problem !== undefined) throw new SchemaMismatchError(problem);
  } finally {
    await database.destroy();
  }
}

export interface SchemaFacts {
  /** Migrations that the database has. */
  run: readonly string[];
  /** Migrations of the database that a gateway must know. */
  required: readonly string[];
  /** Migrations of this gateway. */
  known: readonly string[];
}

/**
 * Returns why a gateway cannot work with a database, or undefined if it can. An unknown migration does no harm unless it is required:
 * operators migrate before they start newer gateways.
 */
export function schemaProblem({ run, required, known }: SchemaFacts): string | undefined {
  const unreleased = unreleasedProblem({ run, known });
  if (unreleased !== undefined) return unreleased;
  const missing = known.filter(name => !run.includes(name));
  if (missing.length > 0) {
    return `The schema of the database is older than this gateway: ${listed(missing)} must be run (platform/database/migrate.js).`;
  }
  const unknown = required.filter(name => !known.includes(name));
  if (unknown.length === 0) return undefined;
  return `The schema of the database is newer than this gateway can work with: ${listed(unknown)}. Start a newer gateway.`;
}

/**
 * Returns why migrations cannot bring the database up to date, or undefined if they can. One initial migration replaced those from
 * before the first release: a database with the old ones has the tables, but not the initial migration.
 */
export function unreleasedProblem({ run, known }: Pick<SchemaFacts, 'run' | 'known'>): string | undefined {
  const initial = Math.min(...known.map(timeOf));
  const unreleased = run.filter(name => !known.includes(name) && timeOf(name) < initial);
  if (unreleased.length === 0) return undefined;
  return (
    `The schema of the database is from before the first release (${listed(unreleased)}) and cannot be upgraded. ` +
    'Delete the directory .rtms if this is a development installation. ' +
    'Otherwise export the data and import them into a new database: see docs/operations/upgrade.md.'
  );
}

/** Returns the time in the name of a migration. */
function timeOf(name: string): number {
  return Number(/\d+$/.exec(name)?.[0]);
}

function listed(names: readonly string[]): string {
  const [first = '', ...others] = names;
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
