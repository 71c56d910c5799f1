import type { Account, AccountState } from '../accounts/account.entity.js';
import type { ApiKey } from '../accounts/api-key.entity.js';
import type { KeyType } from '../auth/caller.js';
import { presentTime } from '../http/present.js';

export interface PresentedAccount {
  accountID: string;
  name: string;
  apiUserName: string;
  state: AccountState;
  createdAt: string;
}

export function presentAccount(account: Account): PresentedAccount {
  return {
    accountID: account.id,
    name: account.name,
    apiUserName: account.apiUserName,
    state: account.state,
    createdAt: presentTime(account.createdAt),
  };
}

/** `overlapping`: a rotation left it valid until `expiresAt`. */
type KeyState = 'active' | 'overlapping' | 'expired' | 'revoked';

function stateOf(key: ApiKey, now: Date): KeyState {
  if (key.revokedAt) return 'revoked';
  if (key.expiresAt && key.expiresAt <= now) return 'expired';
  return key.supersededAt ? 'overlapping' : 'active';
}

export interface PresentedKey {
  keyID: string;
  type: KeyType;
  maskedKey: string;
  state: KeyState;
  createdAt: string;
  expiresAt: string | null;
}

export function presentKey(key: ApiKey, now = new Date()): PresentedKey {
  return {
    keyID: key.id,
    type: key.type,
    maskedKey: key.maskedKey,
    state: stateOf(key, now),
    createdAt: presentTime(key.createdAt),
    expiresAt: presentTime(key.expiresAt),
  };
}
