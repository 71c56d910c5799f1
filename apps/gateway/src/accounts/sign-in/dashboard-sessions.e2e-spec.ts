import { startPostgres, type TestPostgres } from '@rtms/testing';
import { Secret, TOTP } from 'otpauth';
import { DataSource } from 'typeorm';
import { AccountsService } from '../account/accounts.service.js';
import { DashboardClient, makeDashboardUser, type DashboardSignIn } from '../../testing/dashboard-client.js';
import {
  migratedSchema,
  startTestGateway,
  type TestAccount,
  type TestGateway,
} from '../../testing/start-test-gateway.js';

const signInLimits = { perAddress: 40, perEmail: 4, windowSeconds: 86_400 };
const session = '/dashboard/api/session';
const hourMs = 3_600_000;

describe('the dashboard’s sign-in, on two gateways', () => {
  let postgres: TestPostgres;
  let gateway: TestGateway;
  let other: TestGateway;
  let account: TestAccount;
  let user: DashboardSignIn;
  let page: DashboardClient;
  let lines = '';

  beforeAll(async () => {
    postgres = await startPostgres({ template: migratedSchema });
    const databaseUrl = postgres.url;
    const logDestination = { write: (line: string) => void (lines += line) };
    const config = { signInLimits, logLevel: 'trace', trustedProxies: ['127.0.0.1'] };
    gateway = await startTestGateway({ databaseUrl, config, logDestination });
    other = await startTestGateway({ databaseUrl, config });
  });
  beforeEach(async () => {
    account = await gateway.makeAccount();
    user = await makeDashboardUser(gateway, account.accountID);
    page = new DashboardClient(gateway.url);
    await gateway.app.get(DataSource).query('DELETE FROM sign_in_attempts');
  });
  afterAll(async () => {
    await other?.close();
    await gateway?.close();
    await postgres?.stop();
  });

  const reasonOf = async (pending: PromiseLike<{ status: number; body: { reason?: string } }>) => {
    const { status, body } = await pending;
    return [status, body.reason];
  };
  const wrong = { password: 'not-the-password' };
  const refused = [401, 'invalid_credentials'];
  /** The answer for a visitor who is not signed in. */
  const nobody = { success: true, session: null };
  const expectSignedOut = async (client: DashboardClient) => {
    expect((await client.get(session).expect(200)).body).toEqual(nobody);
    expect(await reasonOf(client.get('/v1/rooms'))).toEqual(refused);
    expect(await reasonOf(client.send('delete', session))).toEqual(refused);
  };

  it('answers a visitor without a session, or with an unknown one', async () => {
    await expectSignedOut(new DashboardClient(gateway.url));
    const { body } = await gateway.http
      .get(session)
      .set('Cookie', `rtms_session=${'a'.repeat(43)}`)
      .expect(200);
    expect(body).toEqual(nobody);
  });

  it('answers the signed-in user on every gateway', async () => {
    const { body, headers } = await page.signIn({ ...user, email: ` ${user.email.toUpperCase()}` }).expect(201);
    expect(body.session).toMatchObject({
      user: { userID: user.userID, email: user.email, role: 'owner', totpEnabled: false },
      account: { accountID: account.accountID, apiUserName: account.apiUserName },
    });
    expect(headers['cache-control']).toBe('private, no-store');
    expect((await page.at(other.url).get(session).expect(200)).body).toEqual(body);
  });

  it('sets a cookie that is HttpOnly and, over TLS, Secure', async () => {
    const plain = (await page.signIn(user)).headers['set-cookie']?.[0] ?? '';
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/']) expect(plain).toContain(attribute);
    expect(plain).not.toContain('Secure');
    const secure = (await page.signIn(user, { 'X-Forwarded-Proto': 'https' })).headers['set-cookie']?.[0] ?? '';
    expect(secure).toContain('Secure');
  });

  it('gives the same error for a wrong password and an unknown user', async () => {
    const one = await page.signIn({ ...user, ...wrong }).expect(401);
    const another = await page.signIn({ ...wrong, email: 'nobody@example.com' }).expect(401);
    expect(one.body).toEqual(another.body);
    expect(one.headers['set-cookie']).toBeUndefined();
  });

  it('ends the session at sign-out, on every gateway', async () => {
    await page.signIn(user);
    const { headers } = await page.send('delete', session).expect(200);
    expect(headers['set-cookie']?.[0]).toMatch(/rtms_session=;.*1970/);
    await expectSignedOut(page);
    await expectSignedOut(page.at(other.url));
  });

  it('ends the former session when a browser signs in again', async () => {
    await page.signIn(user);
    const former = page.at(gateway.url);
    await page.signIn(user, { Cookie: former.cookie });
    await expectSignedOut(former);
  });

  it.each([
    ['when nobody used it for long', `last_seen_at = now() - interval '13 hours'`],
    ['in any case after a week', `expires_at = now() - interval '1 second'`],
  ])('ends the session %s', async (_, change) => {
    await page.signIn(user);
    const statement = `UPDATE dashboard_sessions SET ${change} WHERE user_id = $1`;
    await gateway.app.get(DataSource).query(statement, [user.userID]);
    await expectSignedOut(page);
  });

  it('keeps a session that is used, for a week', async () => {
    await page.signIn(user);
    const statement = `UPDATE dashboard_sessions SET last_seen_at = now() - interval '11 hours' WHERE user_id = $1`;
    await gateway.app.get(DataSource).query(statement, [user.userID]);
    const { idleExpiresAt, expiresAt } = (await page.get(session).expect(200)).body.session;
    expect(Date.parse(idleExpiresAt)).toBeGreaterThan(Date.now() + 11 * hourMs);
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 7 * 24 * hourMs)).toBeLessThan(60_000);
  });

  it('refuses even the right password after too many wrong passwords, on any gateway', async () => {
    const elsewhere = new DashboardClient(other.url);
    await page.signIn({ ...user, ...wrong }).expect(401);
    await elsewhere.signIn({ ...user, ...wrong }).expect(401);
    await page.signIn({ ...user, ...wrong }).expect(401);
    await elsewhere.signIn({ ...user, ...wrong }).expect(401);
    const { headers, body } = await page.signIn(user).expect(429);
    expect(body.reason).toBe('rate_limited');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await page.signIn(await makeDashboardUser(gateway, account.accountID)).expect(201);
  });

  it('refuses an address that tries many users, but counts no successful attempts', async () => {
    for (let attempt = 0; attempt < 42; attempt += 1) await page.signIn(user).expect(201);
    const attempts = Array.from({ length: 44 }, (_, index) => `nobody-${index}@example.com`);
    const answers = await Promise.all(attempts.map(email => page.signIn({ email, ...wrong })));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(40);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    await page.signIn(user, { 'X-Forwarded-For': '192.0.2.7' }).expect(201);
  });

  it('ends the other sessions when the password changes', async () => {
    await page.signIn(user);
    const another = new DashboardClient(other.url);
    await another.signIn(user);
    const change = { currentPassword: user.password, newPassword: 'a-new-long-password' };
    const path = '/dashboard/api/password';
    expect(await reasonOf(page.send('post', path, { ...change, currentPassword: 'x' }))).toEqual([
      403,
      'wrong_password',
    ]);
    expect((await page.send('post', path, { ...change, newPassword: 'short' }).expect(400)).body.error).toContain('12');
    await page.send('post', path, change).expect(200);
    await expectSignedOut(another);
    await page.get(session).expect(200);
    expect(await reasonOf(another.signIn(user))).toEqual(refused);
    await another.signIn({ ...user, password: change.newPassword }).expect(201);
  });

  it('ends the sessions of a disabled account', async () => {
    await page.signIn(user);
    await gateway.app.get(AccountsService, { strict: false }).setState(account.accountID, 'disabled');
    expect(await reasonOf(page.get('/v1/rooms'))).toEqual([403, 'account_disabled']);
    expect(await reasonOf(page.signIn(user))).toEqual([403, 'account_disabled']);
  });

  describe('with a second factor', () => {
    const totpOf = async (client: DashboardClient) => {
      const { secret, uri } = (await client.send('post', '/dashboard/api/totp').expect(201)).body.totp;
      expect(uri).toContain('otpauth://totp/RTMS');
      return new TOTP({ secret: Secret.fromBase32(secret) });
    };
    const codeIn = (totp: TOTP, steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
    const confirm = (client: DashboardClient, code: string) =>
      client.send('post', '/dashboard/api/totp/confirm', { code });

    it('asks for no code until the first code is confirmed', async () => {
      await page.signIn(user);
      const totp = await totpOf(page);
      expect(await reasonOf(confirm(page, codeIn(totp, 10)))).toEqual([403, 'wrong_code']);
      await page.signIn(user).expect(201);
    });

    it('asks for a code after the confirmation, and accepts each code once, on all gateways', async () => {
      await page.signIn(user);
      const totp = await totpOf(page);
      const first = codeIn(totp, 0);
      expect((await confirm(page, first).expect(200)).body.session.user.totpEnabled).toBe(true);
      expect(await reasonOf(page.signIn(user))).toEqual([401, 'second_factor_required']);
      expect(await reasonOf(page.signIn({ ...user, code: first }))).toEqual(refused);
      const code = codeIn(totp, 1);
      const both = [gateway, other].map(({ url }) => new DashboardClient(url).signIn({ ...user, code }));
      const statuses = (await Promise.all(both)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([201, 401]);
    });

    it('does not reveal the second factor without the password', async () => {
      await page.signIn(user);
      await confirm(page, codeIn(await totpOf(page), 0)).expect(200);
      expect(await reasonOf(page.signIn({ ...user, ...wrong }))).toEqual(refused);
    });

    it('keeps the second factor until it is removed with the password and a code', async () => {
      await page.signIn(user);
      const totp = await totpOf(page);
      const used = codeIn(totp, 0);
      await confirm(page, used).expect(200);
      expect(await reasonOf(page.send('post', '/dashboard/api/totp'))).toEqual([409, 'already_exists']);
      const end = (currentPassword: string, code: string) =>
        page.send('delete', '/dashboard/api/totp', { currentPassword, code });
      const code = codeIn(totp, 1);
      expect(await reasonOf(end('x', code))).toEqual([403, 'wrong_password']);
      expect(await reasonOf(end(user.password, used))).toEqual([403, 'wrong_code']);
      expect((await end(user.password, code).expect(200)).body.session.user.totpEnabled).toBe(false);
      await page.signIn(user).expect(201);
    });

    it('has the same limit of attempts as the password', async () => {
      await page.signIn(user);
      await confirm(page, codeIn(await totpOf(page), 0)).expect(200);
      for (let attempt = 0; attempt < 4; attempt += 1) await page.signIn({ ...user, code: '000000' });
      expect(await reasonOf(page.signIn({ ...user, code: '000000' }))).toEqual([429, 'rate_limited']);
    });
  });

  it('stores and logs no password, token or secret', async () => {
    await page.signIn(user);
    const { secret } = (await page.send('post', '/dashboard/api/totp').expect(201)).body.totp;
    const token = page.cookie.split('=')[1] ?? '';
    const rows = await gateway.app.get(DataSource).query(
      `SELECT to_jsonb(u)::text AS u, to_jsonb(s)::text AS s, encode(encrypted_totp_secret, 'escape') AS e
         FROM dashboard_users u JOIN dashboard_sessions s ON s.user_id = u.id`,
    );
    const everything = `${JSON.stringify(rows)}${lines}`;
    expect(lines).toContain(session);
    for (const hidden of [user.password, token, page.csrfToken, secret]) expect(everything).not.toContain(hidden);
  });
});
