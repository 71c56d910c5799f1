import { In, type EntityManager, type EntityTarget, type FindOptionsOrder, type FindOptionsWhere } from 'typeorm';
import type { MediaResource } from './media-resource.entity.js';

/** Those of the resources about which a fact waits, so that what the database says of them is not the present. */
export type FindWaiting = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** Few enough for one transaction that holds up nobody. */
const rowsAtOnce = 100;

/**
 * Ends rows whose grace time is over, by turns. A row about which a fact waits is left: the fact may say that somebody came
 * back in time.
 */
export async function endLapsed<Row extends MediaResource>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  lapsed: FindOptionsWhere<Row>,
  { findWaiting, end }: { findWaiting: FindWaiting; end: (where: FindOptionsWhere<Row>) => Promise<void> },
): Promise<void> {
  const rows = await manager.find(entity, {
    select: { id: true } as never,
    where: lapsed,
    order: { graceUntil: 'ASC' } as FindOptionsOrder<Row>,
  });
  const ids = rows.map(({ id }) => id);
  const waiting = await findWaiting(ids);
  const free = ids.filter(id => !waiting.has(id));
  for (let from = 0; from < free.length; from += rowsAtOnce) {
    await end({ ...lapsed, id: In(free.slice(from, from + rowsAtOnce)) });
  }
}
