import { isEmail } from 'class-validator';
import { z } from 'zod';
import { identifier, time } from '../../platform/http/answers.js';
import { accountStates } from '../../platform/auth/caller.js';
import type { ApiKey } from '../keys/api-key.entity.js';
import { credentialFields, keyFields, keySchema, presentKey } from '../keys/key.dto.js';
import { subUserRoles } from '../../platform/auth/granted-operations.js';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { idOf, oneOf, operationList, queryText, text } from '../../platform/http/fields.js';
import { presentFields } from '../../platform/http/present.js';
import type { SubUser } from './sub-user.entity.js';

const emailError = 'must be an email address of at most 254 characters.';

export const subUserFields = {
  name: text(1, 64).meta({ description: 'Name of the sub-user.', examples: ['Ada'] }),
  email: z
    .string({ error: emailError })
    .refine(value => value.length <= 254 && isEmail(value), { error: emailError })
    .meta({
      description: 'Email address, unique in the account.',
      format: 'email',
      maxLength: 254,
      examples: ['ada@example.com'],
    }),
  role: oneOf(subUserRoles).describe('A `parent` may manage settings of its own.'),
  permissions: operationList(0).meta({ description: 'Operations of the sub-user’s keys.', examples: [['readRooms']] }),
  state: oneOf(accountStates).describe('The service refuses the keys of a disabled sub-user.'),
};

const { name, email, role, permissions } = subUserFields;
const subUserID = idOf('a sub-user');
const { type, overlapHours } = keyFields;

export class CreateSubUserDto extends Dto({
  ...{ name, email },
  ...optional({ role, permissions }, { role: 'member', permissions: [] }),
}) {}

export class SubUserIDDto extends Dto({ subUserID }) {}

export class UpdateSubUserDto extends Dto({ subUserID, ...optional(subUserFields) }) {}

export class RotateSubUserKeyDto extends Dto({ ...{ subUserID, type }, ...optional({ overlapHours }) }) {}

export class SubUserKeyDto extends Dto({ subUserID, keyID: idOf('a key of the sub-user') }) {}

export class GetSubUsersDto extends Dto(optionalQuery({ subUserID: queryText() })) {}

const rowFields = {
  ...subUserFields,
  apiUserName: z.string().describe('First half of the sub-user’s credentials.'),
  createdAt: time.describe('When the sub-user was created.'),
};

export const subUserSchema = z
  .object({ subUserID: identifier('sub'), ...rowFields })
  .meta({ id: 'SubUser', description: 'A team member that shares the account.' });

export const detailedSubUserSchema = subUserSchema
  .extend({
    keys: z
      .array(keySchema)
      .max(100)
      .describe('At most 100 keys: first the usable and disabled ones, then the newest ended ones.'),
  })
  .meta({ id: 'DetailedSubUser', description: 'A sub-user with its keys.' });

const apiKeysSchema = z
  .object({
    sandbox: credentialFields.apiKey.optional().describe('Present when a sandbox key created the sub-user.'),
    production: credentialFields.apiKey.optional().describe('Present when a production key created the sub-user.'),
  })
  .describe('This answer alone contains the key. For a key of the other environment, send rotateKey with such a key.');

export const issuedSubUserSchema = subUserSchema
  .extend({ apiKeys: apiKeysSchema })
  .meta({ id: 'IssuedSubUser', description: 'A new sub-user with its keys.' });

export function presentSubUser(subUser: SubUser): z.infer<typeof subUserSchema> {
  return { subUserID: subUser.id, ...presentFields(rowFields, subUser) };
}

export function presentDetailedSubUser(subUser: SubUser, keys: readonly ApiKey[], now: number) {
  return { ...presentSubUser(subUser), keys: keys.map(key => presentKey(key, now)) };
}
