import type { QueryRunner } from 'typeorm';
import { schemaProblem } from './compare-schema.js';
import { allMigrations } from './migrations/all-migrations.js';

interface Queryable {
  query<Rows>(statement: string): Promise<Rows>;
}

const known = allMigrations.map(({ name }) => name);

/**
 * In a migration that gateways without it can't live with: from then on they are not ready, and do not start. Only
 * for the last step of a change, when no gateway that needs the former shape is left.
 */
export async function requireGateways(queryRunner: QueryRunner, migration: string): Promise<void> {
  await queryRunner.query('INSERT INTO schema_requirements (migration) VALUES ($1)', [migration]);
}

/** Why this gateway must not work with that database; undefined when it may. */
export async function readSchemaProblem(database: Queryable): Promise<string | undefined> {
  const run = await namesIn(database, 'migrations', 'name');
  const behind = schemaProblem({ run, required: [], known });
  return behind ?? schemaProblem({ run, required: await namesIn(database, 'schema_requirements', 'migration'), known });
}

/** None when there is no such table yet. */
async function namesIn(database: Queryable, table: string, column: string): Promise<string[]> {
  const [found] = await database.query<{ id: string | null }[]>(`SELECT to_regclass('${table}')::text AS id`);
  if (!found?.id) return [];
  const rows = await database.query<{ name: string }[]>(`SELECT ${column} AS name FROM ${table}`);
  return rows.map(({ name }) => name);
}
