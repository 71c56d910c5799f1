import { DataSource } from 'typeorm';
import { databaseOptions, type DatabaseLog } from './data-source.js';
import { readSchemaProblem } from './schema-state.js';

/** The database has a schema that this gateway must not work with. */
export class SchemaMismatchError extends Error {}

/** Looks before anything of the gateway works with the database. Throws `SchemaMismatchError`. */
export async function requireSchema(url: string, log: DatabaseLog): Promise<void> {
  const database = await new DataSource(databaseOptions(url, log)).initialize();
  try {
    const problem = await readSchemaProblem(database);
    if (problem !== undefined) throw new SchemaMismatchError(problem);
  } finally {
    await database.destroy();
  }
}
