import { ServiceError } from '@rtms/contracts';
import type { EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';

interface OwnedRow extends ObjectLiteral {
  id: string;
  accountID: string;
}

const rememberStatement = `
INSERT INTO deleted_records (account_id, id) VALUES ($1, $2) ON CONFLICT DO NOTHING`;
const recallStatement = `
SELECT 1 FROM deleted_records WHERE account_id = $1 AND id = $2`;

/**
 * Deletes a row for good. Doing it again is safe; NOT_FOUND for an unknown row and for one of another account alike.
 * `what` is e.g. `domain`.
 */
export async function deleteOnce<Row extends OwnedRow>(
  rows: Repository<Row>,
  accountID: string,
  id: string,
  what: string,
): Promise<void> {
  await rows.manager.transaction(manager => deleteOnceIn(manager, rows.target, { accountID, id }, what));
}

/** As `deleteOnce`, within a transaction of the caller's. */
export async function deleteOnceIn<Row extends OwnedRow>(
  manager: EntityManager,
  target: EntityTarget<Row>,
  { accountID, id }: Pick<OwnedRow, 'accountID' | 'id'>,
  what: string,
): Promise<void> {
  const { affected } = await manager.delete(target, { id, accountID });
  if (affected) await manager.query(rememberStatement, [accountID, id]);
  else if (!(await wasDeleted(manager, accountID, id)))
    throw new ServiceError('not_found', `There is no such ${what}.`);
}

async function wasDeleted(manager: EntityManager, accountID: string, id: string): Promise<boolean> {
  const found = await manager.query<unknown[]>(recallStatement, [accountID, id]);
  return found.length > 0;
}
