import type { FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { KeyType } from './caller.js';
import { keyTypes } from './caller.js';

/**
 * Whose rooms a request reaches: those of an account, in the environments of its credential. The other environment is
 * as far away as another account.
 */
export interface RoomScope {
  accountID: string;
  /** A key reaches the one of its type, the dashboard both. */
  environments: readonly [KeyType, ...KeyType[]];
}

/** For the service itself, which acts on rooms that it knows already. */
export function wholeAccount(accountID: string): RoomScope {
  return { accountID, environments: keyTypes };
}

/** The columns by which rooms, and what belongs to them, are told apart. */
interface ScopedRow extends ObjectLiteral {
  accountID: string;
  keyType: KeyType;
}

/** One condition for each environment, so that each has its own stretch of an index. */
export function scopeConditions({ accountID, environments }: RoomScope): Pick<ScopedRow, 'accountID' | 'keyType'>[] {
  return environments.map(keyType => ({ accountID, keyType }));
}

/** The rows that meet `where` and that the scope reaches. Every read for a caller narrows by this function. */
export function inScope<Row extends ScopedRow>(
  scope: RoomScope,
  where: FindOptionsWhere<Row>,
): FindOptionsWhere<Row>[] {
  return scopeConditions(scope).map(each => ({ ...where, ...each }));
}
