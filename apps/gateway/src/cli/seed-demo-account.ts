import { systemClock } from '@rtms/clock';
import type { DataSource, EntityManager } from 'typeorm';
import { Account } from '../accounts/account.entity.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { ApiKey } from '../accounts/api-key.entity.js';
import { ApiKeysService } from '../accounts/api-keys.service.js';
import { DashboardUser } from '../dashboard-users/dashboard-user.entity.js';
import { DashboardUsersService } from '../dashboard-users/dashboard-users.service.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import type { SecretKeys } from '../secrets/secret-vault.js';

export const seededEntities = [Account, ApiKey, DashboardUser];

/** Passwords are known when the users were made just now, and never again. */
export interface DemoSignIn {
  email: string;
  password: string;
  adminEmail: string;
  adminPassword: string;
}

export interface DemoCredential {
  created: boolean;
  apiUserName: string;
  /** Only when the account was made just now. */
  apiKey?: string;
  /** Only when the dashboard's users were made just now. */
  signIn?: DemoSignIn;
}

const demoUserName = 'demoaccount';

/** Account, key and users come together or not at all, so that no account is left that nobody has a key to. */
export function seedDemo(database: DataSource, config: SecretKeys): Promise<DemoCredential> {
  return database.transaction(async manager => {
    await manager.query('LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE');
    const accounts = new AccountsService(manager.getRepository(Account), systemClock);
    const existing = await accounts.first();
    const { id, apiUserName } = existing ?? (await accounts.create('Demo', demoUserName));
    const apiKey = existing ? undefined : await sandboxKey(manager, config, id);
    const signIn = apiUserName === demoUserName ? await seedUsers(manager, id) : undefined;
    return { created: !existing, apiUserName, ...(apiKey !== undefined && { apiKey }), ...(signIn && { signIn }) };
  });
}

async function sandboxKey(manager: EntityManager, config: SecretKeys, accountID: string): Promise<string> {
  const keys = new ApiKeysService(manager.getRepository(ApiKey), new KeyedHasher(manager, config), systemClock);
  return (await keys.create(accountID, 'sandbox')).apiKey;
}

/** One for the demo account and one for the platform; nothing where somebody can sign in already. */
async function seedUsers(manager: EntityManager, accountID: string): Promise<DemoSignIn | undefined> {
  const repository = manager.getRepository(DashboardUser);
  if (await repository.exists()) return undefined;
  const users = new DashboardUsersService(repository, systemClock);
  const owner = await users.create({ email: 'demo@example.com', role: 'owner', accountID });
  const administrator = await users.create({ email: 'admin@example.com', role: 'administrator', accountID: null });
  return {
    email: owner.user.email,
    password: owner.password,
    adminEmail: administrator.user.email,
    adminPassword: administrator.password,
  };
}
