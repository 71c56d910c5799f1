import { operations } from '@rtms/contracts';
import { z } from 'zod';
import { identifier, time } from '../http/answers.js';
import { accountStates } from '../accounts/account.entity.js';
import type { ApiKey } from '../accounts/api-key.entity.js';
import { keySchema, presentKey, type PresentedKey } from '../accounts/present-key.js';
import { subUserRoles } from '../auth/granted-operations.js';
import { presentTime } from '../http/present.js';
import type { SubUser } from './sub-user.entity.js';

export const subUserSchema = z
  .object({
    subUserID: identifier('sub'),
    name: z.string(),
    email: z.string(),
    role: z.enum(subUserRoles),
    permissions: z.array(z.enum(operations)),
    state: z.enum(accountStates),
    apiUserName: z.string(),
    createdAt: time,
  })
  .meta({ id: 'SubUser' });
export type PresentedSubUser = z.infer<typeof subUserSchema>;

/** As `get` answers one: with its keys. */
export const detailedSubUserSchema = subUserSchema
  .extend({
    keys: z
      .array(keySchema)
      .max(100)
      .describe('At most 100: first the keys that work or are disabled, then the newest that ended.'),
  })
  .meta({ id: 'DetailedSubUser' });
export type DetailedSubUser = PresentedSubUser & { keys: PresentedKey[] };

const key = z.string().length(64);

/** The keys stand in this answer and nowhere else. */
const apiKeysSchema = z
  .object({ sandbox: key.optional(), production: key.optional() })
  .describe(
    'Shown once. A key makes a key of its own environment; rotateKey with a key of the other one makes the other.',
  );

export const issuedSubUserSchema = subUserSchema.extend({ apiKeys: apiKeysSchema }).meta({ id: 'IssuedSubUser' });

export function presentSubUser(subUser: SubUser): PresentedSubUser {
  return {
    subUserID: subUser.id,
    name: subUser.name,
    email: subUser.email,
    role: subUser.role,
    permissions: subUser.permissions,
    state: subUser.state,
    apiUserName: subUser.apiUserName,
    createdAt: presentTime(subUser.createdAt),
  };
}

export function presentDetailedSubUser(subUser: SubUser, keys: readonly ApiKey[], now: number): DetailedSubUser {
  return { ...presentSubUser(subUser), keys: keys.map(key => presentKey(key, now)) };
}
