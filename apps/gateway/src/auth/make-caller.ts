import type { Caller, KeyKind } from './caller.js';
import { grantedOperations } from './granted-operations.js';
import type { FoundKey } from './key-look-up.service.js';

export function makeCaller(found: FoundKey): Caller {
  const { accountID, apiUserName, keyID, keyType, subUserID, expiresAt, domains, lastUsedAt } = found;
  const { meetingIDs, maxRole } = found;
  return {
    accountID,
    apiUserName,
    keyID,
    keyKind: kindOf(found),
    keyType,
    environments: [keyType],
    operations: grantedOperations({ subUser: subUserOf(found), key: found.operations ?? undefined }),
    subUserID,
    settingsOwnerID: subUserID !== null && found.subUserRole === 'parent' ? subUserID : accountID,
    expiresAt,
    domains,
    meetingIDs,
    maxRole,
    lastUsedAt,
  };
}

function kindOf({ operations, subUserID }: FoundKey): KeyKind {
  if (operations) return 'disposable';
  return subUserID === null ? 'main' : 'subUser';
}

function subUserOf({ subUserRole: role, permissions }: FoundKey): Parameters<typeof grantedOperations>[0]['subUser'] {
  return role && permissions ? { role, permissions } : undefined;
}
