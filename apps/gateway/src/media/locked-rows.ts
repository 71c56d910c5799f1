import {
  Any,
  type EntityManager,
  type EntityTarget,
  type FindOptionsOrder,
  type FindOptionsWhere,
  type QueryDeepPartialEntity,
} from 'typeorm';
import { selectRows } from '../database/plain-rows.js';
import { live } from './live-states.js';
import type { MediaResource } from './media-resource.entity.js';

/** The row, so that nobody else changes it before this transaction ends. */
export function lockRow<Row extends MediaResource>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  id: string,
): Promise<Row | null> {
  return manager.findOne(entity, { where: { id } as FindOptionsWhere<Row>, lock: { mode: 'pessimistic_write' } });
}

/** Those of the rows that exist, locked in one order so that two transactions never wait for each other. */
export function lockRows<Row extends MediaResource>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  ids: readonly string[],
): Promise<Row[]> {
  return selectRows(manager.getRepository(entity), 'WHERE id = ANY($1) ORDER BY id FOR UPDATE', [ids]);
}

/** All rows that have not ended, locked in one order so that two transactions never wait for each other. */
export function lockLive<Row extends MediaResource>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  where: FindOptionsWhere<Row>,
): Promise<Row[]> {
  return manager.find(entity, {
    where: { ...live, ...where },
    order: { id: 'ASC' } as FindOptionsOrder<Row>,
    lock: { mode: 'pessimistic_write' },
  });
}

/** Stores the changed columns and carries them over to the row at hand. Without a changed column it stores nothing. */
export async function updateRow<Row extends MediaResource>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  row: Row,
  set: Partial<Row>,
): Promise<void> {
  // TypeORM throws UpdateValuesMissingError for an update without columns.
  if (Object.keys(set).length === 0) return;
  await manager.update(entity, row.id, set as QueryDeepPartialEntity<Row>);
  Object.assign(row, set);
}

/** As `updateRow`, the same columns of many rows by one statement. */
export async function updateAll<Row extends MediaResource>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  rows: readonly Row[],
  set: Partial<Row>,
): Promise<void> {
  if (rows.length === 0) return;
  const where = { id: Any(rows.map(({ id }) => id)) } as FindOptionsWhere<Row>;
  await manager.update(entity, where, set as QueryDeepPartialEntity<Row>);
  for (const row of rows) Object.assign(row, set);
}
