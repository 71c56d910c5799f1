import { z } from 'zod';
import type { Account } from './account.entity.js';
import { accountStates } from '../../platform/auth/caller.js';
import { identifier, time } from '../../platform/http/answers.js';
import { matching, text } from '../../platform/http/fields.js';
import { presentTime } from '../../platform/http/present.js';

export const accountName = text(1, 64).meta({ description: 'Name of the account for people.', examples: ['Ada'] });
export const apiUserName = matching(/^[A-Za-z0-9]{6,32}$/, 'must be 6 to 32 letters and digits.').meta({
  description: 'First half of every credential of the account.',
  examples: ['AdaLovelace1815'],
});

export const accountSchema = z
  .object({
    accountID: identifier('acct'),
    name: accountName,
    apiUserName,
    state: z
      .enum([...accountStates, 'deleted'])
      .describe('The service refuses the keys of an account that is not active.'),
    createdAt: time.describe('When the account was created.'),
    deletedAt: time.nullable().describe('When the account was deleted; null: not deleted.'),
  })
  .meta({ id: 'Account', description: 'An account of the platform.' });
export type PresentedAccount = z.infer<typeof accountSchema>;

export function presentAccount(account: Account): PresentedAccount {
  return {
    accountID: account.id,
    name: account.name,
    apiUserName: account.apiUserName,
    state: account.deletedAt ? 'deleted' : account.state,
    createdAt: presentTime(account.createdAt),
    deletedAt: presentTime(account.deletedAt),
  };
}
