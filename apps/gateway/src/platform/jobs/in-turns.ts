/** Less than a millisecond of work on a slow machine, with one or two lookups in a map for each item. */
const itemsPerTurn = 500;

/** Visits each item. Lets the event loop turn after every 500 items, so that requests do not wait. */
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

/** Groups items by a key, in turns of the event loop. Items of one key keep their order. */
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

/** Acts on each item, on at most `limit` items at a time. After a failure it continues and rejects at the end with the first failure. */
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

/** Splits items into portions of at most `size`. */
export function portionsOf<Item>(items: Iterable<Item>, size: number): Item[][] {
  const all = [...items];
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

/** Half of the background's 8 connections: events can use the others while many resources are repaired. */
export const repairsAtOnce = 4;
