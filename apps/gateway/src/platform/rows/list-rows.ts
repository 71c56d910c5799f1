import {
  In,
  type EntityManager,
  type FindOptionsOrder,
  type FindOptionsWhere,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import type { ListSource } from './counted-lists.js';
import { pageStatement, type Period } from './page-statement.js';
import { snakeCase } from '../database/data-source.js';

/** The requested part of a list. */
export interface Page {
  startIndex: number;
  pageSize: number;
}

/** Part of a list, as services return it. `total` counts all rows that match the filter. */
export interface Listed<Item> {
  items: Item[];
  total: number;
}

/** The columns that every listed entity has. */
interface Listable extends ObjectLiteral {
  id: string;
  createdAt: Date;
}

/** The place of a listed row. */
export interface ListEntry {
  table: string;
  id: string;
}

/** Returns one page, newest first, with the exact total. Reads only the rows of the page. A row may meet one condition at most. */
export async function listRows<Row extends Listable>(
  rows: Repository<Row>,
  where: FindOptionsWhere<Row> | readonly FindOptionsWhere<Row>[],
  page: Page,
): Promise<Listed<Row>> {
  const sources = [where].flat().map(each => sourceOf(rows, each as FindOptionsWhere<Row>));
  const { items, total } = await listEntries(rows.manager, sources, page);
  return { items: await readRows(rows, items), total };
}

/** Returns the places of one page of several tables together, newest first, and the total of the period. */
export async function listEntries(
  manager: EntityManager,
  sources: readonly ListSource[],
  page: Page,
  period?: Period,
): Promise<Listed<ListEntry>> {
  const { sql, parameters } = pageStatement(sources, page, period);
  const found = await manager.query<({ total: number } & (ListEntry | { id: null }))[]>(sql, parameters);
  return { items: found.filter(entry => entry.id !== null), total: found[0]?.total ?? 0 };
}

function sourceOf<Row extends Listable>({ metadata }: Repository<Row>, where: FindOptionsWhere<Row>): ListSource {
  const columns = Object.entries(where as Record<string, string | undefined>).flatMap(([name, value]) =>
    value === undefined ? [] : [[snakeCase(name), value] as const],
  );
  return { table: metadata.tableName, where: Object.fromEntries(columns) };
}

async function readRows<Row extends Listable>(rows: Repository<Row>, entries: readonly ListEntry[]): Promise<Row[]> {
  if (entries.length === 0) return [];
  const where = { id: In(entries.map(({ id }) => id)) } as unknown as FindOptionsWhere<Row>;
  return rows.find({ where, order: { createdAt: 'DESC', id: 'DESC' } as FindOptionsOrder<Row> });
}
