import type { z } from 'zod';
import type { Listed, Page } from '../rows/list-rows.js';

/** `{ success: true, room: … }` */
export type OneAnswer<Name extends string, Item> = { success: true } & Record<Name, Item>;

/** `{ success: true, rooms: [...], total, startIndex, pageSize }` */
export type ListAnswer<Name extends string, Item> = OneAnswer<Name, Item[]> & Page & { total: number };

export function presentOne<Name extends string, Item>(name: Name, item: Item): OneAnswer<Name, Item> {
  return { success: true, [name]: item } as OneAnswer<Name, Item>;
}

export function presentList<Name extends string, Item>(
  name: Name,
  listed: Listed<Item>,
  page: Page,
): ListAnswer<Name, Item>;
export function presentList<Name extends string, Row, Item>(
  name: Name,
  listed: Listed<Row>,
  page: Page,
  present: (row: Row) => Item,
): ListAnswer<Name, Item>;
export function presentList(
  name: string,
  { items, total }: Listed<unknown>,
  { startIndex, pageSize }: Page,
  present = (row: unknown) => row,
) {
  return { success: true, [name]: items.map(row => present(row)), total, startIndex, pageSize };
}

/** `{ success: true, deleted: true, domainID: … }` */
export type DeletedAnswer<IDName extends string> = { success: true; deleted: true } & Record<IDName, string>;

/** The first deletion and each repetition have the same answer. */
export function presentDeleted<IDName extends string>(idName: IDName, id: string): DeletedAnswer<IDName> {
  return { success: true, deleted: true, [idName]: id } as DeletedAnswer<IDName>;
}

/** RFC 3339, UTC, milliseconds. */
export function presentTime(time: Date): string;
export function presentTime(time: Date | null): string | null;
export function presentTime(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}

/** A row holds times as `Date`. */
type Row<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]: z.infer<Shape[Name]> | (string extends z.infer<Shape[Name]> ? Date : never);
};

/** Copies the fields of an answer from a row. */
export function presentFields<Shape extends z.ZodRawShape>(
  fields: Shape,
  row: Row<Shape>,
): z.infer<z.ZodObject<Shape>> {
  const copied = Object.keys(fields).map(name => {
    const value: unknown = row[name];
    return [name, value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(copied) as z.infer<z.ZodObject<Shape>>;
}
