import type { Page } from './page.decorator.js';
import type { Listed } from './present.js';

/** A page of a list that is short by its nature, so that it is read as a whole. */
export function pageOf<Item>(all: readonly Item[], { startIndex, pageSize }: Page): Listed<Item> {
  return { items: all.slice(startIndex, startIndex + pageSize), total: all.length };
}
