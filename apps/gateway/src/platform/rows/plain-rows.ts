import type { EntityMetadata, ObjectLiteral, Repository } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';

/**
 * Reads the rows that meet a condition. For the statements of most requests: the query builder needs longer to write such a statement
 * than PostgreSQL needs to answer it. `rest` follows FROM and uses the column names of PostgreSQL.
 */
export function selectRows<Row extends ObjectLiteral>(
  { metadata, manager }: Repository<Row>,
  rest: string,
  parameters: unknown[],
): Promise<Row[]> {
  return manager.query<Row[]>(`SELECT ${selectionOf(metadata)} FROM ${metadata.tableName} ${rest}`, parameters);
}

/**
 * Reads some columns of thousands of rows. PostgreSQL packs the rows into one JSON text, which takes a third of the CPU that the driver
 * needs for the same rows. A name may come twice.
 */
export async function selectPacked<Row extends ObjectLiteral, Name extends keyof Row & string>(
  { metadata, manager }: Repository<Row>,
  names: readonly Name[],
  rest: string,
  parameters: unknown[],
): Promise<Pick<Row, Name>[]> {
  const columns = columnsOf(metadata, names);
  const selected = columns.map(each => each.databaseName).join(', ');
  const statement = `SELECT json_agg(json_build_array(${columns.map(packedOf).join(', ')}))::text AS packed
    FROM (SELECT ${selected} FROM ${metadata.tableName} ${rest}) AS page`;
  const [answer] = await manager.query<{ packed: string | null }[]>(statement, parameters);
  const rows = JSON.parse(answer?.packed ?? '[]') as unknown[][];
  return rows.map(values => {
    const row: Record<string, unknown> = {};
    for (const [index, column] of columns.entries()) row[column.propertyName] = unpackedOf(column, values[index]);
    return row as Pick<Row, Name>;
  });
}

/** The row must have every column. */
export async function insertRow<Row extends ObjectLiteral>(
  { metadata: { tableName, columns }, manager }: Repository<Row>,
  row: Row,
): Promise<void> {
  const names = columns.map(each => each.databaseName).join(', ');
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  const values = columns.map(column => valueOf(column, row));
  await manager.query(`INSERT INTO ${tableName} (${names}) VALUES (${places})`, values);
}

/** Stores some columns of many rows by one statement. The rows must exist and have different ids. */
export async function updateRows<Row extends ObjectLiteral & { id: string }, Name extends keyof Row & string>(
  { metadata, manager }: Repository<Row>,
  rows: readonly Row[],
  names: readonly Name[],
): Promise<void> {
  if (rows.length === 0) return;
  const changed = columnsOf(metadata, names);
  const sets = changed.map(({ databaseName }) => `${databaseName} = given.${databaseName}`);
  const given = changed.map(({ type }, index) => `$${index + 2}::${String(type)}[]`);
  const statement = `UPDATE ${metadata.tableName} AS stored SET ${sets.join(', ')}
    FROM unnest($1::text[], ${given.join(', ')}) AS given(id, ${changed.map(each => each.databaseName).join(', ')})
    WHERE stored.id = given.id`;
  const values = changed.map(column => rows.map(row => valueOf(column, row)));
  await manager.query(statement, [rows.map(({ id }) => id), ...values]);
}

function columnsOf({ columns }: EntityMetadata, names: readonly string[]): ColumnMetadata[] {
  return columns.filter(({ propertyName }) => names.includes(propertyName));
}

function selectionOf({ columns }: EntityMetadata): string {
  return columns.map(column => `${readableOf(column)} AS "${column.propertyName}"`).join(', ');
}

/** The driver reads a bigint as text. Our times and sizes fit a number. */
function readableOf({ type, databaseName }: ColumnMetadata): string {
  return type === 'bigint' ? `${databaseName}::float8` : databaseName;
}

/** Sends a time in milliseconds since 1970, so that no text must be parsed. */
function packedOf({ type, databaseName }: ColumnMetadata): string {
  return type === 'timestamptz' ? `(extract(epoch FROM ${databaseName}) * 1000)::bigint` : databaseName;
}

function unpackedOf({ type }: ColumnMetadata, value: unknown): unknown {
  return type === 'timestamptz' && typeof value === 'number' ? new Date(value) : value;
}

/** The driver would write an array as an array of PostgreSQL, not as JSON. */
function valueOf({ type, propertyName }: ColumnMetadata, row: ObjectLiteral): unknown {
  const value: unknown = row[propertyName];
  return type === 'jsonb' && value !== null ? JSON.stringify(value) : value;
}
