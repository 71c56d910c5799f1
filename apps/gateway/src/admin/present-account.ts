import { z } from 'zod';
import { accountStates, type Account } from '../accounts/account.entity.js';
import type { ApiKey } from '../accounts/api-key.entity.js';
import { keyTypes } from '../auth/caller.js';
import { identifier, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';

export const accountSchema = z
  .object({
    accountID: identifier('acct'),
    name: z.string(),
    apiUserName: z.string(),
    state: z.enum(accountStates),
    createdAt: time,
  })
  .meta({ id: 'Account' });
export type PresentedAccount = z.infer<typeof accountSchema>;

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
const keyStates = ['active', 'overlapping', 'expired', 'revoked'] as const;
type KeyState = (typeof keyStates)[number];

function stateOf(key: ApiKey, now: Date): KeyState {
  if (key.revokedAt) return 'revoked';
  if (key.expiresAt && key.expiresAt <= now) return 'expired';
  return key.supersededAt ? 'overlapping' : 'active';
}

export const keySchema = z
  .object({
    keyID: identifier('key'),
    type: z.enum(keyTypes),
    maskedKey: z.string(),
    state: z.enum(keyStates),
    createdAt: time,
    expiresAt: time.nullable(),
  })
  .meta({ id: 'Key' });
export type PresentedKey = z.infer<typeof keySchema>;

/** A new key with the credential's two halves. */
export const issuedKeySchema = keySchema
  .extend({ apiUserName: z.string(), apiKey: z.string() })
  .meta({ id: 'IssuedKey' });

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
