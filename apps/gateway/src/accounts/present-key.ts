import { z } from 'zod';
import { keyTypes } from '../auth/caller.js';
import { identifier, time } from '../http/answers.js';
import { presentOne, presentTime, type OneAnswer } from '../http/present.js';
import type { ApiKey } from './api-key.entity.js';
import type { IssuedKey } from './api-keys.service.js';

/** `overlapping`: a rotation left it valid until `expiresAt`. `disabled`: it is refused until it is enabled. */
const keyStates = ['active', 'overlapping', 'disabled', 'expired', 'revoked'] as const;
type KeyState = (typeof keyStates)[number];

function stateOf(key: ApiKey, now: number): KeyState {
  if (key.revokedAt) return 'revoked';
  if (key.expiresAt && key.expiresAt.getTime() <= now) return 'expired';
  if (key.disabledAt) return 'disabled';
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

export function presentKey(key: ApiKey, now: number): PresentedKey {
  return {
    keyID: key.id,
    type: key.type,
    maskedKey: key.maskedKey,
    state: stateOf(key, now),
    createdAt: presentTime(key.createdAt),
    expiresAt: presentTime(key.expiresAt),
  };
}

export type KeyAnswer = OneAnswer<'key', PresentedKey>;

export function presentMainKey(key: ApiKey, now: number): KeyAnswer {
  return presentOne('key', presentKey(key, now));
}

/** A new key with the credential's two halves; it stands in this answer and nowhere else. */
export type IssuedKeyAnswer = OneAnswer<'key', PresentedKey & { apiUserName: string; apiKey: string }>;

export function presentIssuedKey(apiUserName: string, { key, apiKey }: IssuedKey): IssuedKeyAnswer {
  return presentOne('key', { ...presentKey(key, key.createdAt.getTime()), apiUserName, apiKey });
}
