import { randomBytes } from 'node:crypto';
import { type ApiClient } from './api-client.js';

/** A test's own account: the product isolates accounts, so files may share a stack. */
export interface Account {
  accountID: string;
  name: string;
  /** With the account's sandbox key. */
  api: ApiClient;
  /** Makes an owner of the account and an administrator of the platform, who sign in to the dashboard. */
  makeUsers(): Promise<DashboardUsers>;
}

export interface DashboardUsers {
  email: string;
  password: string;
  adminEmail: string;
  adminPassword: string;
}

/** `admin` has the administrator's token. */
export async function makeAccount(admin: ApiClient, name = `test-${randomBytes(4).toString('hex')}`): Promise<Account> {
  const { account } = await admin.expect(201, 'POST', '/admin/v1/accounts', { name });
  const { accountID } = account;
  const { key } = await admin.expect(201, 'POST', `/admin/v1/accounts/${accountID}/keys`, { type: 'sandbox' });
  const makeUser = async (email: string, role: object): Promise<string> =>
    (await admin.expect(201, 'POST', '/admin/v1/dashboard-users', { email, ...role })).user.password;
  return {
    accountID,
    name,
    api: admin.as(`${key.apiUserName}:${key.apiKey}`),
    async makeUsers() {
      const host = `${randomBytes(4).toString('hex')}.example`;
      const [email, adminEmail] = [`owner@${host}`, `admin@${host}`];
      const [password, adminPassword] = await Promise.all([
        makeUser(email, { role: 'owner', accountID }),
        makeUser(adminEmail, { role: 'administrator' }),
      ]);
      return { email, password, adminEmail, adminPassword };
    },
  };
}
