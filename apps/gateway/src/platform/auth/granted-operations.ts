import { operations, type Operation } from '@rtms/contracts';

export const subUserRoles = ['parent', 'member'] as const;
export type SubUserRole = (typeof subUserRoles)[number];

export interface Grants {
  /** Of the sub-user that the key belongs to; undefined for a key of the account itself. */
  subUser?: { role: SubUserRole; permissions: readonly Operation[] } | undefined;
  /** Of the key itself, when it is a disposable one. */
  key?: readonly Operation[] | undefined;
}

/** A parent-role sub-user has settings of its own, which nobody needs to let it change. */
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
