import { startPostgres, type TestPostgres } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { DashboardClient, makeDashboardUser } from '../../testing/dashboard-client.js';
import {
  migratedSchema,
  startTestGateway,
  testAdminToken,
  type TestGateway,
} from '../../testing/start-test-gateway.js';
import { SetupService } from '../users/setup.service.js';

const newPassword = 'a-password-of-the-administrator';
const email = 'root@example.com';

describe('the first administrator, on two gateways', () => {
  // A day, because the attempts of a test would not add up across the end of a short window.
  const signInLimits = { perAddress: 20, perEmail: 10, windowSeconds: 86_400 };
  let postgres: TestPostgres;
  let gateway: TestGateway;
  let other: TestGateway;

  beforeAll(async () => {
    postgres = await startPostgres({ template: migratedSchema });
    gateway = await startTestGateway({ databaseUrl: postgres.url, config: { signInLimits } });
    other = await startTestGateway({ databaseUrl: postgres.url, config: { signInLimits } });
  });
  beforeEach(async () => {
    await gateway.asOwner('DELETE FROM sign_in_attempts');
    await gateway.asOwner('DELETE FROM dashboard_users');
  });
  afterAll(async () => {
    await other?.close();
    await gateway?.close();
    await postgres?.stop();
  });

  const query = (statement: string): Promise<unknown> => gateway.app.get(DataSource).query(statement);
  const askLink = () => gateway.http.get('/admin/v1/setup-link').set('Authorization', `Bearer ${testAdminToken}`);
  const codeOfLink = async () => {
    const { body } = await askLink().expect(200);
    expect(body.setupLink.url).toMatch(/\/dashboard\/setup#[\w-]+$/);
    return new URL(body.setupLink.url as string).hash.slice(1);
  };
  const create = (body: object, { at = gateway.url, headers = {} } = {}) =>
    new DashboardClient(at).send('post', '/dashboard/api/setup', { email, newPassword, ...body }, headers);
  const isEmpty = async () =>
    (await gateway.http.get('/dashboard/api/setup').expect(200)).body.setup.isEmpty as boolean;
  const administrators = async () =>
    ((await query(`SELECT email FROM dashboard_users WHERE role = 'administrator'`)) as { email: string }[]).length;

  it('is created with the code of a link, and signs in', async () => {
    expect(await isEmpty()).toBe(true);
    const code = await codeOfLink();
    expect((await create({ code, email: ' Root@Example.com'.trim() }).expect(201)).body).toEqual({
      success: true,
      email,
    });
    expect(await isEmpty()).toBe(false);
    const page = new DashboardClient(other.url);
    const { body } = await page.signIn({ email, password: newPassword }).expect(201);
    expect(body.session).toMatchObject({ user: { role: 'administrator' }, account: null });
    const entries = JSON.stringify(await query('SELECT * FROM audit_entries'));
    expect(entries).toContain('POST /dashboard/api/setup');
    expect(entries).not.toContain(code);
  });

  it('is created once: a code and a new link are refused afterwards', async () => {
    const code = await codeOfLink();
    await create({ code }).expect(201);
    const replay = await create({ code, email: 'eve@example.com' });
    expect([replay.status, replay.body.reason]).toEqual([409, 'already_exists']);
    const link = await askLink();
    expect([link.status, link.body.reason]).toEqual([409, 'already_exists']);
    expect(await administrators()).toBe(1);
  });

  it('is one, when several visitors send their forms to both gateways at once', async () => {
    const codes = [await codeOfLink(), await codeOfLink()];
    const visits = Array.from({ length: 6 }, (_, at) =>
      create({ code: codes[at % 2], email: `visitor-${at}@example.com` }, { at: (at % 2 ? gateway : other).url }),
    );
    const statuses = (await Promise.all(visits)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect(await administrators()).toBe(1);
  });

  it.each([
    ['no code', {}, 400],
    ['the form of no code', { code: 'code' }, 400],
    ['a guess', { code: 'zzzzzzzz-AAAAAAAAAAAAAAAAAAAAAA' }, 401],
    ['a number for the code', { code: 7 }, 400],
    ['a bad address', { code: 'zzzzzzzz-AAAAAAAAAAAAAAAAAAAAAA', email: 'root' }, 400],
    ['a short password', { code: 'zzzzzzzz-AAAAAAAAAAAAAAAAAAAAAA', newPassword: 'short' }, 400],
  ])('is not created with %s, on this machine either', async (_name, body, status) => {
    expect((await create(body)).status).toBe(status);
    expect(await administrators()).toBe(0);
  });

  it('is not created by a claim to come from this machine', async () => {
    const headers = { 'X-Forwarded-For': '127.0.0.1', 'X-Real-IP': '127.0.0.1', Forwarded: 'for=127.0.0.1' };
    const answer = await create({ code: 'zzzzzzzz-AAAAAAAAAAAAAAAAAAAAAA' }, { headers });
    expect(answer.status).toBe(401);
    expect((await create({}, { headers })).status).toBe(400);
  });

  it('is not created from the page of another origin', async () => {
    const code = await codeOfLink();
    const answer = await create({ code }, { headers: { Origin: 'https://evil.example' } });
    expect([answer.status, answer.body.reason]).toEqual([403, 'origin_not_allowed']);
    expect(await administrators()).toBe(0);
  });

  it('is not created with a changed or an expired code', async () => {
    const code = await codeOfLink();
    const [time = '', hash = ''] = code.split('-', 1).concat(code.slice(code.indexOf('-') + 1));
    const later = (Number.parseInt(time, 36) + 86_400_000).toString(36);
    expect((await create({ code: `${later}-${hash}` })).status).toBe(401);
    const clock = { now: () => Date.now() - 3_600_001 };
    const service = gateway.app.get(SetupService, { strict: false });
    const past = Object.create(service, { clock: { value: clock } }) as SetupService;
    const expired = new URL((await past.issueLink()).url).hash.slice(1);
    const answer = await create({ code: expired });
    expect([answer.status, answer.body.reason]).toEqual([401, 'invalid_credentials']);
  });

  it('is not found by guessing: an address has few tries', async () => {
    const guess = (at: number) => create({ code: `zzzzzzzz-${String(at).padStart(22, 'A')}` });
    for (let tries = 0; tries < signInLimits.perAddress; tries += 1) await guess(tries).expect(401);
    const answer = await guess(99);
    expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await create({ code: await codeOfLink() })).status).toBe(429);
  });

  it('can follow an owner of an account, whose sign-in the first visit then shows', async () => {
    await makeDashboardUser(gateway, (await gateway.makeAccount()).accountID);
    expect(await isEmpty()).toBe(false);
    await create({ code: await codeOfLink() }).expect(201);
  });

  it('gets a link for the administrator’s token alone', async () => {
    const account = await gateway.makeAccount();
    for (const authorization of ['Bearer wrong', account.authorization])
      await gateway.http.get('/admin/v1/setup-link').set('Authorization', authorization).expect(401);
  });
});
