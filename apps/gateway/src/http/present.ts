import type { Page } from './page.decorator.js';

/** Part of a list, as services return it. `total` counts all that match the filter. */
export interface Listed<Item> {
  items: Item[];
  total: number;
}

/** `{ success: true, room: … }` */
export type OneAnswer<Name extends string, Item> = { success: true } & Record<Name, Item>;

/** `{ success: true, rooms: [...], total, startIndex, pageSize }` */
export type ListAnswer<Name extends string, Item> = OneAnswer<Name, Item[]> & Page & { total: number };

export function presentOne<Name extends string, Item>(name: Name, item: Item): OneAnswer<Name, Item> {
  return { success: true, [name]: item } as OneAnswer<Name, Item>;
}

export function presentList<Name extends string, Item>(
  name: Name,
  items: Item[],
  total: number,
  { startIndex, pageSize }: Page,
): ListAnswer<Name, Item> {
  return { success: true, [name]: items, total, startIndex, pageSize } as ListAnswer<Name, Item>;
}

/** `{ success: true, deleted: true, domainID: … }` */
export type DeletedAnswer<IDName extends string> = { success: true; deleted: true } & Record<IDName, string>;

/** The first deletion and each repeated one are answered alike. */
export function presentDeleted<IDName extends string>(idName: IDName, id: string): DeletedAnswer<IDName> {
  return { success: true, deleted: true, [idName]: id } as DeletedAnswer<IDName>;
}

/** RFC 3339, UTC, milliseconds. */
export function presentTime(time: Date): string;
export function presentTime(time: Date | null): string | null;
export function presentTime(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}
