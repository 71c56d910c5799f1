import type { EntityManager } from 'typeorm';
import type { AccountState } from './account.entity.js';

/**
 * Locks the account until the transaction ends and returns its state; undefined: there is no such account. Every transaction that changes
 * keys or sub-users takes this lock before any other. So they run one after the other, each finds what the one before it left, and no
 * two wait for each other crosswise.
 */
export async function lockAccount(manager: EntityManager, accountID: string): Promise<AccountState | undefined> {
  const statement = 'SELECT state FROM accounts WHERE id = $1 FOR NO KEY UPDATE';
  const [account] = await manager.query<{ state: AccountState }[]>(statement, [accountID]);
  return account?.state;
}
