import { z } from 'zod';
import { accountStates, type Account } from '../accounts/account.entity.js';
import { identifier, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';

export const accountSchema = z
  .object({
    accountID: identifier('acct'),
    name: z.string(),
    apiUserName: z.string(),
    state: z.enum([...accountStates, 'deleted']),
    createdAt: time,
    deletedAt: time.nullable(),
  })
  .meta({ id: 'Account' });
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
