import type { DataSource } from 'typeorm';
import { Account } from '../accounts/account.entity.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { ApiKey } from '../accounts/api-key.entity.js';
import { ApiKeysService } from '../accounts/api-keys.service.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import type { SecretKeys } from '../secrets/secret-vault.js';

export interface DemoCredential {
  created: boolean;
  apiUserName: string;
  /** Only when the account was made just now. */
  apiKey?: string;
}

/** Account and key come together or not at all, so that no account is left that nobody has a key to. */
export function seedDemo(database: DataSource, config: SecretKeys): Promise<DemoCredential> {
  return database.transaction(async manager => {
    await manager.query('LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE');
    const accounts = new AccountsService(manager.getRepository(Account));
    const keys = new ApiKeysService(manager.getRepository(ApiKey), new KeyedHasher(manager, config));
    const existing = await accounts.first();
    if (existing) return { created: false, apiUserName: existing.apiUserName };
    const { id, apiUserName } = await accounts.create('Demo', 'demoaccount');
    const { apiKey } = await keys.create(id, 'sandbox');
    return { created: true, apiUserName, apiKey };
  });
}
