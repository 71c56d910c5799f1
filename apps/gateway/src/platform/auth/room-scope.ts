import type { FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { KeyType } from './caller.js';
import { keyTypes } from './caller.js';

/**
 * The rooms that a request reaches: rooms of one account in the environments of its credential. Rooms of the other environment are as
 * hidden as rooms of another account.
 */
export interface RoomScope {
  accountID: string;
  /** A key reaches the environment of its type; the dashboard reaches both. */
  environments: readonly [KeyType, ...KeyType[]];
}

/** For the service's own work on rooms that it has already found. */
export function wholeAccount(accountID: string): RoomScope {
  return { accountID, environments: keyTypes };
}

/** The columns of a scope in rooms and their records. */
interface ScopedRow extends ObjectLiteral {
  accountID: string;
  keyType: KeyType;
}

/** One condition for each environment, so that each reads its own range of an index. */
export function scopeConditions({ accountID, environments }: RoomScope): Pick<ScopedRow, 'accountID' | 'keyType'>[] {
  return environments.map(keyType => ({ accountID, keyType }));
}

/** Narrows `where` to the rows that the scope reaches. Every read for a caller uses it. */
export function inScope<Row extends ScopedRow>(
  scope: RoomScope,
  where: FindOptionsWhere<Row>,
): FindOptionsWhere<Row>[] {
  return scopeConditions(scope).map(each => ({ ...where, ...each }));
}
