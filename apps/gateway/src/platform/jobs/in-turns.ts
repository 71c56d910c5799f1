/** Some tenths of a millisecond of work on a slow machine, when each item takes a look into a map or two. */
const itemsPerTurn = 500;

/** Visits each item. The event loop turns after every 500 items, so that requests are answered meanwhile. */
export async function inTurns<Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> {
  let left = itemsPerTurn;
  for (const item of items) {
    visit(item);
    left -= 1;
    if (left > 0) continue;
    left = itemsPerTurn;
    await new Promise(setImmediate);
  }
}

/** The items by a key, in turns of the event loop; those of one key keep their order. */
export async function groupInTurns<Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Promise<Map<Key, Item[]>> {
  const groups = new Map<Key, Item[]>();
  await inTurns(items, item => {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  });
  return groups;
}

/**
 * Acts on each item, on no more than `limit` items at a time. A failure keeps no other item from its turn; the first one
 * rejects at the end.
 */
export async function atMost<Item>(
  limit: number,
  items: Iterable<Item>,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const all = [...items];
  const waiting = all.values();
  const failures: unknown[] = [];
  const workThrough = async (): Promise<void> => {
    for (const item of waiting) await act(item).catch((error: unknown) => void failures.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(limit, all.length) }, workThrough));
  if (failures.length > 0) throw failures[0];
}

/** The items in portions of at most so many. */
export function portionsOf<Item>(items: Iterable<Item>, size: number): Item[][] {
  const all = [...items];
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

/** Of the background's 8 connections: events find others free while many resources are repaired. */
export const repairsAtOnce = 4;
