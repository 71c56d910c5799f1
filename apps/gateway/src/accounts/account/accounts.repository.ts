import type { EntityManager } from 'typeorm';
import type { AccountState } from '../../platform/auth/caller.js';

/**
 * Locks the account until the transaction ends and returns its state, or undefined if the account does not exist. Every
 * transaction that changes keys or sub-users takes this lock first. Such transactions run one after another and cannot deadlock.
 */
export async function lockAccount(manager: EntityManager, accountID: string): Promise<AccountState | undefined> {
  const statement = 'SELECT state FROM accounts WHERE id = $1 FOR NO KEY UPDATE';
  const [account] = await manager.query<{ state: AccountState }[]>(statement, [accountID]);
  return account?.state;
}

/** A later statement of the transaction that waits longer for a lock fails. PostgreSQL then rolls back at once, and keeps no lock. */
export async function limitLockWaits(manager: EntityManager, milliseconds: number): Promise<void> {
  await manager.query(`SET LOCAL lock_timeout = ${milliseconds}`);
}

/** Runs a transaction that locks the account first. */
export function inLockedAccount<Result>(
  manager: EntityManager,
  accountID: string,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Result> {
  return manager.transaction(async opened => {
    await lockAccount(opened, accountID);
    return work(opened);
  });
}

/** Lets no other transaction add or change an account until this transaction ends. */
export async function lockAllAccounts(manager: EntityManager): Promise<void> {
  await manager.query('LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE');
}
