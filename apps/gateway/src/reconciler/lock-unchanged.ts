import type { EntityManager, EntityTarget } from 'typeorm';
import { lockRow, lockRows } from '../media/locked-rows.js';
import type { MediaResource } from '../media/media-resource.entity.js';

type Row = MediaResource & { state: string };
type Seen<R extends Row> = Pick<R, 'id' | 'nodeID' | 'nodeEpoch' | 'placedAt'>;

/** The locked row, unless it has ended or been placed anew since it was read. */
export async function lockUnchanged<R extends Row>(
  manager: EntityManager,
  entity: EntityTarget<R>,
  seen: Seen<R>,
): Promise<R | undefined> {
  const row = await lockRow(manager, entity, seen.id);
  return row && isUnchanged(row, seen) ? row : undefined;
}

/** As `lockUnchanged`, of many at once. */
export async function lockAllUnchanged<R extends Row>(
  manager: EntityManager,
  entity: EntityTarget<R>,
  seen: readonly Seen<R>[],
): Promise<R[]> {
  const byID = new Map(seen.map(each => [each.id, each]));
  const rows = await lockRows(manager, entity, [...byID.keys()]);
  return rows.filter(row => {
    const former = byID.get(row.id);
    return former !== undefined && isUnchanged(row, former);
  });
}

function isUnchanged<R extends Row>(row: R, seen: Seen<R>): boolean {
  if (row.endedAt !== null) return false;
  const isSame = row.nodeID === seen.nodeID && row.nodeEpoch === seen.nodeEpoch;
  return isSame && row.placedAt.getTime() === seen.placedAt.getTime();
}
