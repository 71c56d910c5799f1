import { IsNull, Not, type EntityManager } from 'typeorm';
import type { AccountQuotasService } from '../../accounts/limits/account-quotas.service.js';
import { live, running } from '../../platform/rows/live-states.js';
import { Broadcast } from './broadcast.entity.js';
import { compositionsOnly } from './composition-of.js';
import { Recording } from './recording.entity.js';

/**
 * Runs work that inserts the row, in a transaction. A composition takes the place of one broadcast on a transcoder. So the account's limit
 * counts recordings and broadcasts of whole rooms, and compositions of files, together. Other rows have no such limit.
 */
export function insertWithinQuota<Result>(
  quotas: AccountQuotasService,
  manager: EntityManager,
  { accountID, composition }: Recording | Broadcast,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  if (!composition) return manager.transaction(work);
  const count = (within: EntityManager) => countCompositions(within, accountID);
  return quotas.add(accountID, [{ limit: 'compositionsPerAccount', count }], work);
}

async function countCompositions(manager: EntityManager, accountID: string): Promise<number> {
  const ofRooms = { accountID, ...compositionsOnly, ...running };
  const ofFiles = { accountID, sourceRecordingIDs: Not(IsNull()), state: 'processing' as const };
  const recordings = await manager.count(Recording, { where: [ofRooms, ofFiles] });
  return recordings + (await manager.countBy(Broadcast, { accountID, ...compositionsOnly, ...live }));
}
