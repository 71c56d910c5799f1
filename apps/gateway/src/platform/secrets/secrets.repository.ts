import { unannounced } from '../changes/announced-tables.js';
import { sealPrefixBytes } from './secret-vault.js';
import type { SealedColumn } from './sealed-columns.js';

/** A DataSource or an EntityManager. */
export interface Queryable {
  query<Rows>(statement: string, parameters?: unknown[]): Promise<Rows>;
}

/** A value of a sealed column with the id of its row. */
export interface SealedRow {
  id: string;
  sealed: Buffer;
}

export async function readSecret(database: Queryable, name: string): Promise<Buffer | undefined> {
  const statement = 'SELECT sealed FROM service_secrets WHERE name = $1';
  const [row] = await database.query<{ sealed: Buffer }[]>(statement, [name]);
  return row?.sealed;
}

/** Stores the secret unless another replica has stored it. */
export async function keepSecret(database: Queryable, name: string, sealed: Buffer): Promise<void> {
  const statement = 'INSERT INTO service_secrets (name, sealed) VALUES ($1, $2) ON CONFLICT DO NOTHING';
  await database.query(statement, [name, sealed]);
}

export async function hasApiKeys(database: Queryable): Promise<boolean> {
  return (await database.query<unknown[]>('SELECT 1 FROM api_keys LIMIT 1')).length > 0;
}

/** Returns rows that are not sealed under the key of `prefix`, in the order of their ids. */
export function readOutdated(
  database: Queryable,
  { table, idColumn, column }: SealedColumn,
  { after, prefix, limit }: { after: string; prefix: Buffer; limit: number },
): Promise<SealedRow[]> {
  return database.query<SealedRow[]>(
    `SELECT ${idColumn} AS id, ${column} AS sealed FROM ${table}
     WHERE ${idColumn} > $1 AND ${column} IS NOT NULL AND substring(${column} FROM 1 FOR ${sealPrefixBytes}) <> $2
     ORDER BY ${idColumn} LIMIT ${limit}`,
    [after, prefix],
  );
}

/** Returns the rows with the highest ids. */
export function readLastSealed(
  database: Queryable,
  { table, idColumn, column }: SealedColumn,
  limit: number,
): Promise<SealedRow[]> {
  return database.query(
    `SELECT ${idColumn} AS id, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL
     ORDER BY ${idColumn} DESC LIMIT ${limit}`,
  );
}

/** Returns false if the row has changed meanwhile. The next call then reads it again. */
export async function replaceSealed(
  database: Queryable,
  { table, idColumn, column }: SealedColumn,
  { id, sealed: former }: SealedRow,
  sealed: Buffer,
): Promise<boolean> {
  const replaced = await database.query<unknown[]>(
    `${unannounced} WITH replaced AS (UPDATE ${table} SET ${column} = $3 WHERE ${idColumn} = $1 AND ${column} = $2 RETURNING 1)
     SELECT 1 FROM replaced`,
    [id, former, sealed],
  );
  return replaced.length > 0;
}
