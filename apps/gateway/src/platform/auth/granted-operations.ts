import { operations, type Operation } from '@rtms/contracts';

export const subUserRoles = ['parent', 'member'] as const;
export type SubUserRole = (typeof subUserRoles)[number];

export interface Grants {
  /** The sub-user of the key; undefined: a key of the account itself. */
  subUser?: { role: SubUserRole; permissions: readonly Operation[] } | undefined;
  /** The operations of a disposable key. */
  key?: readonly Operation[] | undefined;
}

/** A parent-role sub-user may always read and change its own settings. */
const ownSettings: readonly Operation[] = ['readSettings', 'manageSettings'];

/** The operations of a key. A key of a sub-user never has more than the sub-user has now. */
export function grantedOperations({ subUser, key }: Grants): readonly Operation[] {
  const ofUser = subUser ? permissionsOf(subUser) : operations;
  return key ? ofUser.filter(operation => key.includes(operation)) : ofUser;
}

function permissionsOf({ role, permissions }: NonNullable<Grants['subUser']>): readonly Operation[] {
  return role === 'parent' ? [...new Set([...permissions, ...ownSettings])] : permissions;
}

/** Returns the requested operations that the caller's own key does not have. */
export function beyond(wanted: readonly Operation[], held: readonly Operation[]): Operation[] {
  return wanted.filter(operation => !held.includes(operation));
}
