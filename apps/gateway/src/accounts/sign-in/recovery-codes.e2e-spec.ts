import { startPostgres, type TestPostgres } from '@rtms/testing';
import { Secret, TOTP } from 'otpauth';
import { DataSource } from 'typeorm';
import { DashboardUsersService } from '../users/dashboard-users.service.js';
import { DashboardClient, makeDashboardUser, type DashboardSignIn } from '../../testing/dashboard-client.js';
import { migratedSchema, startTestGateway, type TestGateway } from '../../testing/start-test-gateway.js';

const path = '/dashboard/api/totp';

describe('recovery codes, on two gateways', () => {
  let postgres: TestPostgres;
  let gateway: TestGateway;
  let other: TestGateway;
  let user: DashboardSignIn;
  let page: DashboardClient;
  let totp: TOTP;
  let codes: string[];
  let lines = '';

  beforeAll(async () => {
    postgres = await startPostgres({ template: migratedSchema });
    const databaseUrl = postgres.url;
    const logDestination = { write: (line: string) => void (lines += line) };
    const config = { signInLimits: { perAddress: 1_000, perEmail: 8, windowSeconds: 86_400 }, logLevel: 'trace' };
    gateway = await startTestGateway({ databaseUrl, config, logDestination });
    other = await startTestGateway({ databaseUrl, config });
  });
  beforeEach(async () => {
    user = await makeDashboardUser(gateway, null);
    page = new DashboardClient(gateway.url);
    await page.signIn(user).expect(201);
    const { secret } = (await page.send('post', path).expect(201)).body.totp;
    totp = new TOTP({ secret: Secret.fromBase32(secret) });
    codes = (await page.send('post', `${path}/confirm`, { code: codeIn(0) }).expect(200)).body.recoveryCodes;
  });
  afterAll(async () => {
    await other?.close();
    await gateway?.close();
    await postgres?.stop();
  });

  const codeIn = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
  const left = async () => (await page.get(path).expect(200)).body.secondFactor.recoveryCodesLeft as number;
  const reasonOf = async (pending: PromiseLike<{ status: number; body: { reason?: string } }>) => {
    const { status, body } = await pending;
    return [status, body.reason];
  };
  const signIn = (code: string, at = gateway) => new DashboardClient(at.url).signIn({ ...user, code });
  const renew = (currentPassword: string, code: string) =>
    page.send('post', `${path}/recovery-codes`, { currentPassword, code });

  it('are ten different codes, answered when the second factor is activated', async () => {
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[2-9a-z]{5}-[2-9a-z]{5}$/);
    expect((await page.get(path).expect(200)).body.secondFactor).toEqual({ enabled: true, recoveryCodesLeft: 10 });
    expect(await reasonOf(page.send('post', `${path}/confirm`, { code: codeIn(1) }))).toEqual([409, 'already_exists']);
    expect(await left()).toBe(10);
  });

  it('replace a code, each once, on all gateways', async () => {
    const [code = ''] = codes;
    const both = await Promise.all([signIn(code), signIn(code, other)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 401]);
    expect(await reasonOf(signIn(code))).toEqual([401, 'invalid_credentials']);
    expect(await left()).toBe(9);
  });

  it('are accepted in any spelling', async () => {
    const [one = '', another = '', third = ''] = codes;
    await signIn(one.toUpperCase()).expect(201);
    await signIn(another.replace('-', '')).expect(201);
    await signIn(third.replace('-', ' ')).expect(201);
  });

  it('are valid only for their user', async () => {
    const [code = ''] = codes;
    const stranger = await makeDashboardUser(gateway, null);
    const strangers = new DashboardClient(gateway.url);
    await strangers.signIn(stranger).expect(201);
    const { secret } = (await strangers.send('post', path).expect(201)).body.totp;
    const first = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await strangers.send('post', `${path}/confirm`, { code: first }).expect(200);
    const attempt = new DashboardClient(gateway.url).signIn({ ...stranger, code });
    expect(await reasonOf(attempt)).toEqual([401, 'invalid_credentials']);
    expect(await left()).toBe(10);
  });

  it('have the same limit of attempts as passwords', async () => {
    for (let attempt = 0; attempt < 8; attempt += 1) await signIn('aaaaa-aaaaa').expect(401);
    expect(await reasonOf(signIn(codes[0] ?? ''))).toEqual([429, 'rate_limited']);
  });

  it.each(['12345', 'aaaaa-aaaa', 'aaaaa--aaaaa', '1234567'])('are refused in the form %s', async code => {
    await signIn(code).expect(400);
  });

  it('are replaced with the password and a code, and the former codes become void', async () => {
    const [former = '', proof = ''] = codes;
    expect(await reasonOf(renew('x', proof))).toEqual([403, 'wrong_password']);
    expect(await reasonOf(renew(user.password, 'aaaaa-aaaaa'))).toEqual([403, 'wrong_code']);
    const made = (await renew(user.password, proof).expect(201)).body.recoveryCodes as string[];
    expect(new Set([...made, ...codes]).size).toBe(20);
    expect(await reasonOf(signIn(former))).toEqual([401, 'invalid_credentials']);
    await signIn(made[0] ?? '').expect(201);
    expect(await left()).toBe(9);
  });

  it('are deleted with the second factor', async () => {
    const [code = '', another = ''] = codes;
    await page.send('delete', path, { currentPassword: user.password, code }).expect(200);
    expect(await left()).toBe(0);
    expect(await reasonOf(renew(user.password, another))).toEqual([409, 'no_second_factor']);
    const { secret } = (await page.send('post', path).expect(201)).body.totp;
    totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await page.send('post', `${path}/confirm`, { code: codeIn(0) }).expect(200);
    expect(await left()).toBe(10);
    await gateway.app.get(DashboardUsersService, { strict: false }).resetTotp(user.userID);
    expect(await left()).toBe(0);
  });

  it('are neither stored nor logged', async () => {
    await signIn(codes[0] ?? '').expect(201);
    const rows = await gateway.app
      .get(DataSource)
      .query(`SELECT user_id, encode(code_hash, 'escape') AS hash FROM dashboard_recovery_codes`);
    expect(rows.length).toBeGreaterThanOrEqual(9);
    const everything = `${JSON.stringify(rows)}${lines}`;
    for (const code of codes) {
      expect(everything).not.toContain(code);
      expect(everything).not.toContain(code.replace('-', ''));
    }
  });
});
