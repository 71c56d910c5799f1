import { DataSource } from 'typeorm';
import { collectRoutes } from '../../platform/http/route-table.js';
import { DashboardClient, makeDashboardUser, type DashboardSignIn } from '../../testing/dashboard-client.js';
import {
  startTestGateway,
  testAdminToken,
  type TestAccount,
  type TestGateway,
} from '../../testing/start-test-gateway.js';

const key = { action: 'create', name: 'Kiosk', type: 'sandbox', operations: ['joinRoom'], neverExpires: true };
const subUser = { action: 'create', name: 'Bo', email: 'bo@example.com', role: 'member', permissions: [] };
const refused = { reason: 'confirmation_required', code: 'FORBIDDEN' };

describe('new keys', () => {
  let gateway: TestGateway;
  let account: TestAccount;
  let user: DashboardSignIn;
  let page: DashboardClient;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  beforeEach(async () => {
    account = await gateway.makeAccount();
    user = await makeDashboardUser(gateway, account.accountID);
    page = new DashboardClient(gateway.url);
    await page.signIn(user).expect(201);
  });
  afterAll(() => gateway?.close());

  const letTenMinutesPass = () =>
    gateway.app
      .get(DataSource)
      .query('UPDATE dashboard_sessions SET confirmed_at = $2 WHERE user_id = $1', [
        user.userID,
        new Date(Date.now() - 600_001),
      ]);
  const rotate = () => page.send('post', '/dashboard/api/keys/rotate', { type: 'sandbox' });
  const confirm = (currentPassword: string) =>
    page.send('post', '/dashboard/api/session/confirmation', { currentPassword });

  it('are allowed for ten minutes after the sign-in, and again after the password is confirmed', async () => {
    await rotate().expect(201);
    await letTenMinutesPass();
    for (const body of [
      (await rotate().expect(403)).body,
      (await page.send('post', '/v1/disposable-keys', key).expect(403)).body,
      (await page.send('post', '/v1/subusers', subUser).expect(403)).body,
    ]) {
      expect(body).toMatchObject(refused);
    }
    await page.get('/dashboard/api/keys').expect(200);
    const { body } = await confirm(user.password).expect(200);
    expect(body.session.user.userID).toBe(user.userID);
    await rotate().expect(201);
    await letTenMinutesPass();
    await rotate().expect(403);
  });

  it('need the right password', async () => {
    await letTenMinutesPass();
    expect((await confirm('not-the-password').expect(403)).body).toMatchObject({ reason: 'wrong_password' });
    await rotate().expect(403);
  });

  it('need no password with a credential that is not a cookie', async () => {
    await letTenMinutesPass();
    await gateway.http
      .post(`/admin/v1/accounts/${account.accountID}/keys/rotate`)
      .set('Authorization', `Bearer ${testAdminToken}`)
      .send({ type: 'sandbox' })
      .expect(201);
  });

  it('need the password in every route that answers a new key or password', () => {
    const secrets = /keys(\/rotate)?$|@create$|@rotateKey$|reset-(link|password)$|dashboard-users$/;
    const places =
      /^\/(admin\/v1\/accounts\/:accountID\/keys|dashboard\/api\/keys|v1\/(subusers|disposable-keys)|admin\/v1\/dashboard-users)/;
    const issuing = collectRoutes(gateway.app).filter(
      ({ method, path }) => method === 'POST' && places.test(path) && secrets.test(path),
    );
    expect(issuing.length).toBeGreaterThanOrEqual(10);
    const open = issuing.filter(({ handler }) => !Reflect.hasMetadata('__guards__', handler));
    expect(open.map(({ path }) => path)).toEqual([]);
  });
});
