import {
  Any,
  type EntityManager,
  type EntityTarget,
  type FindOptionsOrder,
  type FindOptionsWhere,
  type QueryDeepPartialEntity,
} from 'typeorm';
import { live } from '../../platform/rows/live-states.js';
import { selectRows } from '../../platform/rows/plain-rows.js';
import type { MediaResource } from './media-resource.entity.js';

/** Locks the row until the transaction ends. */
export function lockRow<Row extends MediaResource>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  id: string,
): Promise<Row | null> {
  return manager.findOne(entity, { where: { id } as FindOptionsWhere<Row>, lock: { mode: 'pessimistic_write' } });
}

/** Locks the rows that exist, in the order of their IDs: two transactions never wait for each other. */
export function lockRows<Row extends MediaResource>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  ids: readonly string[],
): Promise<Row[]> {
  return selectRows(manager.getRepository(entity), 'WHERE id = ANY($1) ORDER BY id FOR UPDATE', [ids]);
}

/** Locks the matching rows that have not ended, in the order of their IDs. */
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

/** The columns that show whether a row changed since it was read. */
type Seen<Row extends MediaResource> = Pick<Row, 'id' | 'nodeID' | 'nodeEpoch' | 'placedAt'>;

/** Locks the row unless it has ended or moved since it was read. */
export async function lockUnchanged<Row extends MediaResource>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  seen: Seen<Row>,
): Promise<Row | undefined> {
  const row = await lockRow(manager, entity, seen.id);
  return row && isUnchanged(row, seen) ? row : undefined;
}

/** As `lockUnchanged`, for many rows by one statement. */
export async function lockAllUnchanged<Row extends MediaResource>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  seen: readonly Seen<Row>[],
): Promise<Row[]> {
  const byID = new Map(seen.map(each => [each.id, each]));
  const rows = await lockRows(manager, entity, [...byID.keys()]);
  return rows.filter(row => {
    const former = byID.get(row.id);
    return former !== undefined && isUnchanged(row, former);
  });
}

function isUnchanged<Row extends MediaResource>(row: Row, seen: Seen<Row>): boolean {
  if (row.endedAt !== null) return false;
  const isSame = row.nodeID === seen.nodeID && row.nodeEpoch === seen.nodeEpoch;
  return isSame && row.placedAt.getTime() === seen.placedAt.getTime();
}

/** Updates the given columns in the database and in `row`. Runs no statement when there are none. */
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

/** As `updateRow`, with the same values for many rows by one statement. */
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
