import { DataSource } from 'typeorm';
import { DashboardClient, makeDashboardUser, type DashboardSignIn } from '../../testing/dashboard-client.js';
import {
  startTestGateway,
  testAdminToken,
  type TestAccount,
  type TestGateway,
} from '../../testing/start-test-gateway.js';
import { deviceCookie } from './known-devices.service.js';

const session = '/dashboard/api/session';
const wrong = { password: 'not-the-password' };

describe('the protection of the sign-in', () => {
  let gateway: TestGateway;
  let account: TestAccount;
  let user: DashboardSignIn;
  let page: DashboardClient;

  beforeAll(async () => {
    const signInLimits = { perAddress: 100, perEmail: 3, windowSeconds: 86_400 };
    gateway = await startTestGateway({ config: { signInLimits, publicUrl: 'https://rtms.example' } });
  });
  beforeEach(async () => {
    account = await gateway.makeAccount();
    user = await makeDashboardUser(gateway, account.accountID);
    page = new DashboardClient(gateway.url);
    await gateway.app.get(DataSource).query('DELETE FROM sign_in_attempts');
  });
  afterAll(() => gateway?.close());

  const cookiesOf = (headers: Record<string, unknown>) => headers['set-cookie'] as string[];
  const statusOf = async (pending: PromiseLike<{ status: number }>) => (await pending).status;

  /** The cookie of a browser in which these users have signed in. */
  async function browserOf(...users: DashboardSignIn[]): Promise<string> {
    let cookie = '';
    for (const each of users) {
      const { headers } = await page.signIn(each, { Cookie: cookie }).expect(201);
      cookie = cookiesOf(headers)
        .find(set => set.startsWith(deviceCookie))!
        .split(';')[0]!;
    }
    return cookie;
  }

  async function lockOut(): Promise<void> {
    for (let attempt = 0; attempt < 3; attempt += 1) await page.signIn({ ...user, ...wrong }).expect(401);
    await page.signIn(user).expect(429);
  }

  it('sets cookies that are Secure when PUBLIC_URL begins with https', async () => {
    const { headers } = await page.signIn(user).expect(201);
    expect(cookiesOf(headers)).toHaveLength(2);
    for (const cookie of cookiesOf(headers)) expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=/);
    const { headers: after } = await page.send('delete', session).expect(200);
    expect(cookiesOf(after)[0]).toContain('Secure');
  });

  it('knows a device for 180 days', async () => {
    const { headers } = await page.signIn(user).expect(201);
    expect(cookiesOf(headers).find(set => set.startsWith(deviceCookie))).toContain('; Max-Age=15552000;');
  });

  it('accepts a known device while strangers are locked out', async () => {
    const cookie = await browserOf(user);
    await lockOut();
    await page.signIn(user, { Cookie: cookie }).expect(201);
    await page.signIn(user).expect(429);
  });

  it('counts the attempts of a known device separately', async () => {
    const cookie = await browserOf(user);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await statusOf(page.signIn({ ...user, ...wrong }, { Cookie: cookie }))).toBe(401);
    }
    await page.signIn(user, { Cookie: cookie }).expect(429);
    await page.signIn(user).expect(201);
  });

  it('remembers a device for each of its users', async () => {
    const cookie = await browserOf(user, await makeDashboardUser(gateway, account.accountID));
    await lockOut();
    await page.signIn(user, { Cookie: cookie }).expect(201);
  });

  it.each([
    ['of another user', async () => browserOf(await makeDashboardUser(gateway, account.accountID))],
    [
      'that was changed',
      async () => (await browserOf(user)).replace(/dev_(.)/, (_, first) => `dev_${first === 'a' ? 'b' : 'a'}`),
    ],
    ['that is no token', async () => `${deviceCookie}=${'~'.repeat(5000)}`],
  ])('accepts no device cookie %s', async (_, cookieOf) => {
    const cookie = await cookieOf();
    await lockOut();
    await page.signIn(user, { Cookie: cookie }).expect(429);
  });

  it('lets a signed-in user change the password while strangers are locked out', async () => {
    await page.signIn(user).expect(201);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await new DashboardClient(gateway.url).signIn({ ...user, ...wrong });
    }
    const body = { currentPassword: user.password, newPassword: 'another long password' };
    await page.send('post', '/dashboard/api/password', body).expect(200);
  });

  describe('a reset link', () => {
    const newPassword = 'another long password';
    const issue = async () => {
      const path = `/admin/v1/dashboard-users/${user.userID}/reset-link`;
      const { body } = await gateway.http.post(path).set('Authorization', `Bearer ${testAdminToken}`).expect(200);
      const [address, token = ''] = (body.resetLink.url as string).split('#');
      expect(address).toBe('https://rtms.example/dashboard/reset-password');
      return token;
    };
    const reset = (token: string) => gateway.http.post('/dashboard/api/password-reset').send({ token, newPassword });

    it('sets a new password and ends all sessions of the user', async () => {
      await page.signIn(user).expect(201);
      const token = await issue();
      await page.get(session).expect(200);
      const { body } = await reset(token).expect(200);
      expect(body).toEqual({ success: true, passwordReset: true });
      expect((await page.get(session).expect(200)).body.session).toBeNull();
      await page.signIn(user).expect(401);
      await page.signIn({ ...user, password: newPassword }).expect(201);
    });

    it('can be used once', async () => {
      const token = await issue();
      const answers = await Promise.all([reset(token), reset(token)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
      await reset(token).expect(401);
    });

    it('can be used for an hour', async () => {
      const token = await issue();
      const [row] = await gateway.app
        .get(DataSource)
        .query<{ expiresAt: Date }[]>(
          'SELECT expires_at AS "expiresAt" FROM dashboard_password_resets WHERE user_id = $1',
          [user.userID],
        );
      expect(Math.abs(row!.expiresAt.getTime() - Date.now() - 3_600_000)).toBeLessThan(60_000);
      await gateway.app
        .get(DataSource)
        .query(`UPDATE dashboard_password_resets SET expires_at = now() - interval '1 second' WHERE user_id = $1`, [
          user.userID,
        ]);
      const { body } = await reset(token).expect(401);
      expect(body).toMatchObject({ reason: 'invalid_credentials', error: expect.stringContaining('has expired') });
      await page.signIn(user).expect(201);
    });

    it('is void after a newer link', async () => {
      const former = await issue();
      const newer = await issue();
      await reset(former).expect(401);
      await reset(newer).expect(200);
    });

    it('is void after another change of the password', async () => {
      await page.signIn(user).expect(201);
      const token = await issue();
      const body = { currentPassword: user.password, newPassword: 'yet another password' };
      await page.send('post', '/dashboard/api/password', body).expect(200);
      await reset(token).expect(401);
    });

    it('stores no token, and has an entry in the audit log of the account', async () => {
      const token = await issue();
      const database = gateway.app.get(DataSource);
      const rows = await database.query(
        `SELECT user_id, encode(token_hash, 'escape') AS hash FROM dashboard_password_resets`,
      );
      expect(JSON.stringify(rows)).not.toContain(token);
      await reset(token).expect(200);
      const { body } = await gateway.http
        .get(`/admin/v1/audit-log?accountID=${account.accountID}`)
        .set('Authorization', `Bearer ${testAdminToken}`);
      expect(body.entries).toMatchObject([
        {
          action: 'POST /dashboard/api/password-reset',
          outcome: 'succeeded',
          actor: { kind: 'user', id: user.userID },
        },
        { action: 'POST /admin/v1/dashboard-users/:userID/reset-link', actor: { kind: 'administrator' } },
      ]);
      expect(JSON.stringify(body)).not.toContain(token);
    });

    it('is refused for an address that guesses', async () => {
      const answers: number[] = [];
      for (let n = 0; n < 101; n += 1) answers.push(await statusOf(reset('a'.repeat(43))));
      expect([answers[0], answers[99], answers[100]]).toEqual([401, 401, 429]);
    });
  });
});
