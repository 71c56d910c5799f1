import { csrfHeader, type DashboardRole, type DashboardSession } from '@rtms/contracts';
import supertest from 'supertest';
import { DashboardUsersService } from '../accounts/users/dashboard-users.service.js';
import type { TestGateway } from './start-test-gateway.js';

type Headers = Record<string, string>;

export interface DashboardSignIn {
  userID: string;
  email: string;
  password: string;
}

let made = 0;

/** Creates a user of an account, or an administrator. */
export async function makeDashboardUser(
  gateway: TestGateway,
  accountID: string | null,
  role: DashboardRole = accountID === null ? 'administrator' : 'owner',
): Promise<DashboardSignIn> {
  const email = `user-${process.pid}-${(made += 1)}@example.com`;
  const users = gateway.app.get(DashboardUsersService, { strict: false });
  const { user, password } = await users.create({ email, role, accountID });
  return { userID: user.id, email, password };
}

/** The page of the dashboard: keeps the cookie as a browser does, and sends the CSRF token with writes. */
export class DashboardClient {
  cookie = '';
  csrfToken = '';
  private readonly http: ReturnType<typeof supertest>;

  constructor(url: string) {
    this.http = supertest(url);
  }

  static async signedIn(
    gateway: TestGateway,
    accountID: string | null,
    role?: DashboardRole,
  ): Promise<DashboardClient> {
    const client = new DashboardClient(gateway.url);
    await client.signIn(await makeDashboardUser(gateway, accountID, role)).expect(201);
    return client;
  }

  /** The same browser with another replica. */
  at(url: string): DashboardClient {
    return Object.assign(new DashboardClient(url), { cookie: this.cookie, csrfToken: this.csrfToken });
  }

  signIn({ email, password, code }: { email: string; password: string; code?: string }, headers: Headers = {}) {
    const body = { email, password, ...(code !== undefined && { code }) };
    return this.http
      .post('/dashboard/api/session')
      .set(headers)
      .send(body)
      .expect(response => {
        const [cookie] = (response.headers['set-cookie'] as unknown as string[] | undefined) ?? [];
        if (response.status !== 201) return;
        this.cookie = cookie?.split(';')[0] ?? '';
        this.csrfToken = (response.body as { session: DashboardSession }).session.csrfToken;
      });
  }

  get(path: string, headers: Headers = {}) {
    return this.http.get(path).set({ Cookie: this.cookie, ...headers });
  }

  send(method: 'post' | 'put' | 'delete', path: string, body: object = {}, headers: Headers = {}) {
    return this.http[method](path)
      .set({ Cookie: this.cookie, [csrfHeader]: this.csrfToken, ...headers })
      .send(body);
  }
}
