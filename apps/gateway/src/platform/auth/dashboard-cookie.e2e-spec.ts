import { startPostgres, type TestPostgres } from '@rtms/testing';
import { DashboardClient } from '../../testing/dashboard-client.js';
import {
  migratedSchema,
  startTestGateway,
  type TestAccount,
  type TestGateway,
} from '../../testing/start-test-gateway.js';

describe('the API with the cookie of the dashboard', () => {
  let postgres: TestPostgres;
  let gateway: TestGateway;
  let other: TestGateway;
  let account: TestAccount;
  let page: DashboardClient;
  let administrator: DashboardClient;

  beforeAll(async () => {
    postgres = await startPostgres({ template: migratedSchema });
    const databaseUrl = postgres.url;
    gateway = await startTestGateway({ databaseUrl });
    other = await startTestGateway({ databaseUrl });
    account = await gateway.makeAccount();
    page = await DashboardClient.signedIn(gateway, account.accountID);
    administrator = await DashboardClient.signedIn(gateway, null);
  });
  afterAll(async () => {
    await other?.close();
    await gateway?.close();
    await postgres?.stop();
  });

  const create = { action: 'create', userName: 'Ada' };
  const reasonOf = async (pending: PromiseLike<{ status: number; body: { reason?: string } }>) => {
    const { status, body } = await pending;
    return [status, body.reason];
  };

  it('acts as the account in the requested environment', async () => {
    const { body } = await page.send('post', '/v1/rooms', create).expect(201);
    expect(body.room.keyType).toBe('sandbox');
    const production = { 'X-RTMS-Environment': 'production' };
    const made = await page.at(other.url).send('post', '/v1/rooms', create, production).expect(201);
    expect(made.body.room.keyType).toBe('production');
    const { headers } = await page.get(`/v1/rooms?meetingID=${made.body.room.meetingID}`).expect(200);
    expect(headers['vary']).toContain('Cookie');
    expect(headers['cache-control']).toBe('private, no-store');
    expect(await reasonOf(page.get('/v1/rooms', { 'X-RTMS-Environment': 'test' }))).toEqual([400, 'invalid_request']);
  });

  it('creates disposable keys', async () => {
    const key = { action: 'create', name: 'widget', type: 'production', operations: ['readRooms'] };
    await page.send('post', '/v1/disposable-keys', key).expect(201);
  });

  it('hides other accounts', async () => {
    const { body } = await page.send('post', '/v1/rooms', create).expect(201);
    const stranger = await DashboardClient.signedIn(gateway, (await gateway.makeAccount()).accountID);
    expect(await reasonOf(stranger.get(`/v1/rooms?meetingID=${body.room.meetingID}`))).toEqual([404, 'not_found']);
  });

  it.each([['post'], ['delete']] as const)('refuses a %s without the session’s token', async method => {
    const path = method === 'post' ? '/v1/rooms' : '/v1/meetings/room_1/playbacks/play_1';
    const missing = [403, 'csrf_token_missing'];
    expect(await reasonOf(page.send(method, path, create, { 'X-CSRF-Token': '' }))).toEqual(missing);
    expect(await reasonOf(page.send(method, path, create, { 'X-CSRF-Token': administrator.csrfToken }))).toEqual(
      missing,
    );
  });

  it.each([
    ['another origin', { Origin: 'https://evil.example' }],
    ['a sandboxed page', { Origin: 'null' }],
    ['another origin of the same site', { 'Sec-Fetch-Site': 'same-site' }],
    ['another site, without its name', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('refuses a cookie from %s', async (_, headers: Record<string, string>) => {
    for (const path of ['/v1/rooms', '/dashboard/api/session', '/admin/v1/accounts']) {
      const answer = await page.get(path, headers);
      expect([answer.status, answer.body.reason]).toEqual([403, 'origin_not_allowed']);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    }
    const signingIn = page.at(gateway.url).signIn({ email: 'a@example.com', password: 'x' }, headers);
    expect(await reasonOf(signingIn)).toEqual([403, 'origin_not_allowed']);
  });

  it.each([
    ['its own pages', () => ({ Origin: gateway.url, 'Sec-Fetch-Site': 'same-origin' })],
    ['its public address', () => ({ Origin: 'http://gateway.test', 'Sec-Fetch-Site': 'same-origin' })],
    ['the address bar', () => ({ 'Sec-Fetch-Site': 'none' })],
  ])('accepts a cookie from %s', async (_, headers) => {
    await page.get('/v1/rooms', headers()).expect(200);
  });

  it('ignores the cookie of a request with a key', async () => {
    await page.get('/v1/rooms', { Authorization: account.authorization, Origin: 'https://any.example' }).expect(200);
    const wrong = { Authorization: `Bearer ${account.apiUserName}:${'x'.repeat(64)}` };
    expect(await reasonOf(page.get('/v1/rooms', wrong))).toEqual([401, 'invalid_credentials']);
  });

  it('lets only administrators use the administration', async () => {
    await administrator.get('/admin/v1/accounts').expect(200);
    const { body } = await administrator.send('post', '/admin/v1/accounts', { name: 'New' }).expect(201);
    expect(body.account.name).toBe('New');
    const noToken = administrator.send('post', '/admin/v1/accounts', { name: 'New' }, { 'X-CSRF-Token': '' });
    expect(await reasonOf(noToken)).toEqual([403, 'csrf_token_missing']);
    expect(await reasonOf(page.get('/admin/v1/accounts'))).toEqual([401, 'invalid_credentials']);
    expect(await reasonOf(administrator.get('/v1/rooms'))).toEqual([403, 'not_permitted']);
  });

  it('lets administrators create users, reset passwords and remove second factors', async () => {
    const users = '/admin/v1/dashboard-users';
    const fields = { email: 'Eve@Example.com', role: 'owner', accountID: account.accountID };
    const { userID, email, password } = (await administrator.send('post', users, fields).expect(201)).body.user;
    expect(email).toBe('eve@example.com');
    expect(await reasonOf(administrator.send('post', users, fields))).toEqual([409, 'name_taken']);
    const eve = new DashboardClient(gateway.url);
    await eve.signIn({ email, password }).expect(201);
    const reset = await administrator.send('post', `${users}/${userID}/reset-password`).expect(200);
    expect(await reasonOf(eve.get('/v1/rooms'))).toEqual([401, 'invalid_credentials']);
    await eve.signIn({ email, password: reset.body.user.password }).expect(201);
    await administrator.send('post', `${users}/${userID}/reset-totp`).expect(200);
    const { total } = (await administrator.get(`${users}?pageSize=1`).expect(200)).body;
    expect(total).toBeGreaterThan(1);
    await administrator.send('delete', `${users}/${userID}`).expect(200);
    expect(await reasonOf(eve.get('/v1/rooms'))).toEqual([401, 'invalid_credentials']);
  });

  it.each([[{ role: 'owner' }], [{ role: 'administrator', accountID: 'acct_1' }]])(
    'makes no user of %j',
    async fields => {
      const made = administrator.send('post', '/admin/v1/dashboard-users', { email: 'x@example.com', ...fields });
      expect(await reasonOf(made)).toEqual([400, 'invalid_request']);
    },
  );
});
