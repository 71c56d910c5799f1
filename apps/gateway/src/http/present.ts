import type { Page } from './page.decorator.js';

/** Part of a list, as services return it. `total` counts all that match the filter. */
export interface Listed<Item> {
  items: Item[];
  total: number;
}

/** `{ success: true, room: … }` */
export function presentOne<Name extends string, Item>(name: Name, item: Item) {
  return { success: true, [name]: item } as { success: true } & Record<Name, Item>;
}

/** `{ success: true, rooms: [...], total, startIndex, pageSize }` */
export function presentList<Name extends string, Item>(name: Name, items: Item[], total: number, page: Page) {
  const { startIndex, pageSize } = page;
  return { success: true, [name]: items, total, startIndex, pageSize } as {
    success: true;
    total: number;
  } & Page &
    Record<Name, Item[]>;
}

/** RFC 3339, UTC, milliseconds. */
export function presentTime(time: Date): string;
export function presentTime(time: Date | null): string | null;
export function presentTime(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}
