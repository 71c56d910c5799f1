import { systemClock } from '@rtms/clock';
import type { DataSource, EntityManager } from 'typeorm';
import { Account } from './account/account.entity.js';
import { lockAllAccounts } from './account/accounts.repository.js';
import { AccountsService } from './account/accounts.service.js';
import { ApiKey } from './keys/api-key.entity.js';
import { ApiKeysService } from './keys/api-keys.service.js';
import { DashboardUser } from './users/dashboard-user.entities.js';
import { DashboardUsersService } from './users/dashboard-users.service.js';
import { KeyedHasher } from '../platform/secrets/keyed-hasher.js';
import type { SecretKeys } from '../platform/secrets/secret-vault.js';

export const seededEntities = [Account, ApiKey, DashboardUser];

/** The password is known only when the user is created. */
export interface DemoSignIn {
  email: string;
  password: string;
}

export interface DemoCredential {
  created: boolean;
  apiUserName: string;
  /** Present only if this call created the account. */
  apiKey?: string;
  /** Present only if this call created the dashboard's user. */
  signIn?: DemoSignIn;
}

const demoUserName = 'demoaccount';

/** Creates account, key and user in one transaction, so that no account is left without a known key. */
export function seedDemo(database: DataSource, config: SecretKeys): Promise<DemoCredential> {
  return database.transaction(async manager => {
    await lockAllAccounts(manager);
    const accounts = new AccountsService(manager.getRepository(Account), systemClock);
    const existing = await accounts.first();
    const { id, apiUserName } = existing ?? (await accounts.create('Demo', demoUserName));
    const apiKey = existing ? undefined : await sandboxKey(manager, config, id);
    const signIn = apiUserName === demoUserName ? await seedUser(manager, id) : undefined;
    return { created: !existing, apiUserName, ...(apiKey !== undefined && { apiKey }), ...(signIn && { signIn }) };
  });
}

async function sandboxKey(manager: EntityManager, config: SecretKeys, accountID: string): Promise<string> {
  const keys = new ApiKeysService(manager.getRepository(ApiKey), new KeyedHasher(manager, config), systemClock);
  return (await keys.create(accountID, 'sandbox')).apiKey;
}

/** Creates an owner of the demo account, unless a dashboard user exists. The first administrator chooses a password by the set-up link. */
async function seedUser(manager: EntityManager, accountID: string): Promise<DemoSignIn | undefined> {
  const repository = manager.getRepository(DashboardUser);
  if (await repository.exists()) return undefined;
  const users = new DashboardUsersService(repository, systemClock);
  const { user, password } = await users.create({ email: 'demo@example.com', role: 'owner', accountID });
  return { email: user.email, password };
}
