import type { EntityManager, EntityTarget } from 'typeorm';
import { lockRow } from '../media/locked-rows.js';
import type { MediaResource } from '../media/media-resource.entity.js';

type Row = MediaResource & { state: string };

/** The locked row, unless it has ended or been placed anew since it was read. */
export async function lockUnchanged<R extends Row>(
  manager: EntityManager,
  entity: EntityTarget<R>,
  seen: Pick<R, 'id' | 'nodeID' | 'nodeEpoch' | 'placedAt'>,
): Promise<R | undefined> {
  const row = await lockRow(manager, entity, seen.id);
  if (!row || row.endedAt !== null) return undefined;
  const isSame = row.nodeID === seen.nodeID && row.nodeEpoch === seen.nodeEpoch;
  return isSame && row.placedAt.getTime() === seen.placedAt.getTime() ? row : undefined;
}
