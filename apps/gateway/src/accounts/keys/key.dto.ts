import { keyOverlapHours } from '@rtms/contracts';
import { z } from 'zod';
import { keyTypes } from '../../platform/auth/caller.js';
import { identifier, time } from '../../platform/http/answers.js';
import { Dto, optional } from '../../platform/http/dto.js';
import { flag, oneOf, whole } from '../../platform/http/fields.js';
import { presentFields, presentOne } from '../../platform/http/present.js';
import type { ApiKey } from './api-key.entity.js';
import type { IssuedKey } from './api-keys.service.js';

export const keyType = oneOf(keyTypes).describe('Environment of the key.');

export const keyFields = {
  type: keyType,
  overlapHours: whole(keyOverlapHours.min, keyOverlapHours.max).describe(
    'Hours for which the former key stays valid. Default: the former key ends at once.',
  ),
};
const { type, overlapHours } = keyFields;
const lastKey = 'Disables the last working main key of its environment too: servers that use the key stop at once.';

export class CreateKeyDto extends Dto({ type }) {}

export class RotateKeyDto extends Dto({ type, ...optional({ overlapHours }) }) {}

export class DisableKeyDto extends Dto(optional({ force: flag.describe(lastKey) })) {}

export class DeleteKeyDto extends Dto(optional({ force: oneOf(['true', 'false']).describe(lastKey) })) {}

/** Both halves of a credential. */
export const credentialFields = {
  apiUserName: z.string().describe('First half of the credential.'),
  apiKey: z.string().length(64).describe('Second half of the credential. This answer alone contains it.'),
};

const keyStates = ['active', 'overlapping', 'disabled', 'expired', 'revoked'] as const;
type KeyState = (typeof keyStates)[number];

function stateOf(key: ApiKey, now: number): KeyState {
  if (key.revokedAt) return 'revoked';
  if (key.expiresAt && key.expiresAt.getTime() <= now) return 'expired';
  if (key.disabledAt) return 'disabled';
  return key.supersededAt ? 'overlapping' : 'active';
}

const rowFields = {
  type: keyType,
  maskedKey: z.string().describe('The first and last characters of the key.'),
  createdAt: time.describe('When the key was created.'),
  expiresAt: time.nullable().describe('When the key stops working; null: never.'),
};

export const keySchema = z
  .object({
    keyID: identifier('key'),
    ...rowFields,
    state: z
      .enum(keyStates)
      .describe(
        '`overlapping`: a rotation left the key valid until expiresAt. `disabled`: refused until it is enabled.',
      ),
  })
  .meta({ id: 'Key', description: 'A main key or a key of a sub-user, without the key itself.' });

export const issuedKeySchema = keySchema
  .extend(credentialFields)
  .meta({ id: 'IssuedKey', description: 'A new key with both halves of its credential.' });

export function presentKey(key: ApiKey, now: number): z.infer<typeof keySchema> {
  return { keyID: key.id, ...presentFields(rowFields, key), state: stateOf(key, now) };
}

export function presentIssuedKey(apiUserName: string, { key, apiKey }: IssuedKey) {
  return presentOne('key', { ...presentKey(key, key.createdAt.getTime()), apiUserName, apiKey });
}
