import { z } from 'zod';
import type { Account } from './account.entity.js';
import { accountStates } from '../../platform/auth/caller.js';
import { identifier, time } from '../../platform/http/answers.js';
import { Dto, optional } from '../../platform/http/dto.js';
import { matching, text } from '../../platform/http/fields.js';
import { presentFields } from '../../platform/http/present.js';

export const accountName = text(1, 64).meta({ description: 'Name of the account for people.', examples: ['Ada'] });
export const apiUserName = matching(/^[A-Za-z0-9]{6,32}$/, 'must be 6 to 32 letters and digits.').meta({
  description: 'First half of every credential of the account.',
  examples: ['AdaLovelace1815'],
});

export class RenameAccountDto extends Dto({ name: accountName }) {}

export class CreateAccountDto extends Dto({
  name: accountName,
  ...optional({ apiUserName: apiUserName.describe('First half of every credential. Default: a random name.') }),
}) {}

const rowFields = {
  name: accountName,
  apiUserName,
  createdAt: time.describe('When the account was created.'),
  deletedAt: time.nullable().describe('When the account was deleted; null: not deleted.'),
};

export const accountSchema = z
  .object({
    accountID: identifier('acct'),
    ...rowFields,
    state: z
      .enum([...accountStates, 'deleted'])
      .describe('The service refuses the keys of an account that is not active.'),
  })
  .meta({ id: 'Account', description: 'An account of the platform.' });

export function presentAccount(account: Account): z.infer<typeof accountSchema> {
  const state = account.deletedAt ? 'deleted' : account.state;
  return { accountID: account.id, ...presentFields(rowFields, account), state };
}
