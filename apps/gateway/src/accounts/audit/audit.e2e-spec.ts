import { DataSource } from 'typeorm';
import { collectRoutes, type Route } from '../../platform/http/route-table.js';
import { OpenApiController } from '../../platform/openapi/openapi.controller.js';
import { DashboardClient, makeDashboardUser } from '../../testing/dashboard-client.js';
import { pathOf, requestSamples, validBody } from '../../testing/request-samples.js';
import {
  startTestGateway,
  testAdminToken,
  type TestAccount,
  type TestGateway,
} from '../../testing/start-test-gateway.js';
import type { AuditController } from './audit.controller.js';
import { auditingOf } from './audit.interceptor.js';

type PresentedAuditEntry = Awaited<ReturnType<AuditController['list']>>['entries'][number];

const unlimited = { windowSeconds: 60, addressReads: 0, addressWrites: 0, keyReads: 0, keyWrites: 0 };

describe('the audit log', () => {
  let gateway: TestGateway;
  let account: TestAccount;

  beforeAll(async () => {
    gateway = await startTestGateway({ config: { rateLimits: unlimited } });
  });
  beforeEach(async () => {
    account = await gateway.makeAccount();
  });
  afterAll(() => gateway?.close());

  const asAdministrator = (method: 'get' | 'post' | 'put' | 'delete' | 'patch', path: string) =>
    gateway.http[method](path).set('Authorization', `Bearer ${testAdminToken}`);
  const entriesOf = async (accountID: string): Promise<PresentedAuditEntry[]> =>
    (await asAdministrator('get', `/admin/v1/audit-log?accountID=${accountID}`).expect(200)).body.entries;
  const isChange = ({ method }: Route) => !['GET', 'HEAD'].includes(method);

  it('covers every route of administration and dashboard that changes data', () => {
    const routes = collectRoutes(gateway.app).filter(isChange);
    const administrative = routes.filter(({ path }) => /^\/(admin|dashboard)\//.test(path));
    expect(administrative.length).toBeGreaterThan(15);
    const uncovered = administrative.filter(each => auditingOf(each.method, each.handler, each.controller) === 'never');
    expect(uncovered.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  it('has an entry for every valid request to /admin/v1 that changes data', async () => {
    const document = gateway.app.get(OpenApiController, { strict: false }).document('administration');
    const samples = requestSamples(document).filter(({ method }) => method !== 'get');
    expect(samples.length).toBeGreaterThan(12);
    const missing: string[] = [];
    for (const { method, template, parameters, body } of samples) {
      const path = pathOf({ template, parameters } as never, { accountID: account.accountID });
      const sent = asAdministrator(method as 'post', path).send(body && (validBody(body, {}) as object));
      const { headers, status } = await sent;
      const requestID = headers['x-request-id'];
      const { body: log } = await asAdministrator('get', '/admin/v1/audit-log?pageSize=5').expect(200);
      const found = (log.entries as PresentedAuditEntry[]).some(each => each.requestID === requestID);
      if (!found) missing.push(`${method} ${template} ${status}`);
    }
    expect(missing).toEqual([]);
  });

  it('contains actor, action, account, address and time', async () => {
    const before = Date.now() - 1000;
    const path = `/admin/v1/accounts/${account.accountID}/disable`;
    const { headers } = await asAdministrator('post', path).expect(200);
    const [entry] = await entriesOf(account.accountID);
    expect(entry).toEqual({
      entryID: expect.stringMatching(/^audit_/),
      at: expect.any(String),
      actor: { kind: 'administrator', id: null, name: null },
      action: 'POST /admin/v1/accounts/:accountID/disable',
      accountID: account.accountID,
      details: { accountID: account.accountID },
      address: expect.stringMatching(/127\.0\.0\.1$/),
      requestID: headers['x-request-id'],
      outcome: 'succeeded',
      reason: null,
    });
    expect(Date.parse(entry!.at)).toBeGreaterThan(before);
  });

  it('names the user who created a key, without the key or a password', async () => {
    const user = await makeDashboardUser(gateway, account.accountID);
    const page = new DashboardClient(gateway.url);
    await page.signIn(user).expect(201);
    const key = { action: 'create', name: 'Kiosk', type: 'sandbox', operations: ['joinRoom'], validityDays: 1 };
    const { body } = await page.send('post', '/v1/disposable-keys', key).expect(201);
    const newPassword = 'another long password';
    await page.send('post', '/dashboard/api/password', { currentPassword: 'wrong', newPassword }).expect(403);
    const entries = await entriesOf(account.accountID);
    const actor = { kind: 'user', id: user.userID, name: user.email };
    expect(entries.map(({ actor: by, action, outcome, reason }) => [by, action, outcome, reason])).toEqual([
      [actor, 'POST /dashboard/api/password', 'failed', 'wrong_password'],
      [actor, 'POST /v1/disposable-keys (create)', 'succeeded', null],
      [actor, 'POST /dashboard/api/session', 'succeeded', null],
    ]);
    expect(entries[1]!.details).toMatchObject({ name: 'Kiosk', type: 'sandbox', keyID: body.disposableKey.keyID });
    expect(entries[0]!.details).toEqual({ otherFields: 'currentPassword, newPassword' });
    const rows = JSON.stringify(await gateway.app.get(DataSource).query('SELECT * FROM audit_entries'));
    for (const secret of [user.password, newPassword]) expect(rows).not.toContain(secret);
    expect(rows).not.toMatch(/temp(sand|prod)\w{20}/);
  });

  it('has no entry for an invalid request or a failed sign-in', async () => {
    await asAdministrator('put', `/admin/v1/accounts/${account.accountID}/balance`).send({ type: 'no' }).expect(400);
    const stranger = new DashboardClient(gateway.url);
    await stranger.signIn({ email: 'nobody@example.com', password: 'nothing' }).expect(401);
    expect(await entriesOf(account.accountID)).toEqual([]);
  });

  it('distinguishes a repeated request from the first', async () => {
    const path = `/admin/v1/accounts/${account.accountID}/enable`;
    for (const _ of [1, 2]) await asAdministrator('post', path).set('Idempotency-Key', 'again').expect(200);
    expect((await entriesOf(account.accountID)).map(({ outcome }) => outcome)).toEqual(['repeated', 'succeeded']);
  });

  it('filters by result, actor and time, and does not reveal administrators by the filter', async () => {
    const user = await makeDashboardUser(gateway, account.accountID);
    const page = new DashboardClient(gateway.url);
    await page.signIn(user).expect(201);
    const change = { currentPassword: 'wrong', newPassword: 'another long password' };
    await page.send('post', '/dashboard/api/password', change).expect(403);
    const administrator = await makeDashboardUser(gateway, null);
    const admin = new DashboardClient(gateway.url);
    await admin.signIn(administrator).expect(201);
    await admin.send('post', `/admin/v1/accounts/${account.accountID}/enable`).expect(200);
    const actions = async (client: DashboardClient, path: string) =>
      ((await client.get(path).expect(200)).body.entries as { action: string }[]).map(({ action }) => action);
    const enabling = 'POST /admin/v1/accounts/:accountID/enable';
    const own = '/v1/audit-log';
    const all = `/admin/v1/audit-log?accountID=${account.accountID}`;
    expect(await actions(page, `${own}?outcome=failed`)).toEqual(['POST /dashboard/api/password']);
    const ofUser = ['POST /dashboard/api/password', 'POST /dashboard/api/session'];
    expect(await actions(page, `${own}?actor=${user.email}`)).toEqual(ofUser);
    expect(await actions(admin, `${all}&actor=${administrator.email}`)).toEqual([enabling]);
    expect(await actions(page, `${own}?actor=${administrator.email}`)).toEqual([]);
    const hour = 3_600_000;
    const [past, future] = [Date.now() - hour, Date.now() + hour].map(time => new Date(time).toISOString());
    expect(await actions(page, `${own}?from=${past}&to=${future}`)).toEqual([enabling, ...ofUser]);
    expect(await actions(page, `${own}?to=${past}`)).toEqual([]);
    expect(await actions(page, `${own}?from=${future}`)).toEqual([]);
    await page.get(`${own}?outcome=any`).expect(400);
  });

  it('refuses an action whose entry cannot be written', async () => {
    await gateway.asOwner('ALTER TABLE audit_entries RENAME TO gone');
    try {
      await asAdministrator('post', `/admin/v1/accounts/${account.accountID}/disable`).expect(500);
    } finally {
      await gateway.asOwner('ALTER TABLE gone RENAME TO audit_entries');
    }
    const { body } = await asAdministrator('get', `/admin/v1/accounts/${account.accountID}`).expect(200);
    expect(body.account.state).toBe('active');
  });

  it('shows an account its own entries page by page, and no administrator’s name or address', async () => {
    const other = await gateway.makeAccount();
    await asAdministrator('post', `/admin/v1/accounts/${other.accountID}/enable`).expect(200);
    await asAdministrator('post', `/admin/v1/accounts/${account.accountID}/enable`).expect(200);
    const own = (method: 'get' | 'post', path: string) =>
      gateway.http[method](path).set('Authorization', account.authorization);
    await own('post', '/v1/domains').send({ action: 'create', domain: 'app.example.com' }).expect(201);
    const { body: first } = await own('get', '/v1/audit-log?pageSize=1').expect(200);
    expect(first).toMatchObject({ total: 2, startIndex: 0, pageSize: 1 });
    expect(first.entries).toMatchObject([
      { action: 'POST /v1/domains (create)', actor: { kind: 'main', name: account.apiUserName } },
    ]);
    const { body: second } = await own('get', '/v1/audit-log?pageSize=1&startIndex=1').expect(200);
    expect(second.entries).toMatchObject([{ actor: { kind: 'administrator', id: null, name: null }, address: null }]);
  });
});
