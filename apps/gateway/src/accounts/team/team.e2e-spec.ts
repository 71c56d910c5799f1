import type { AccountRole } from '@rtms/contracts';
import { startPostgres, type TestPostgres } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { DashboardClient, makeDashboardUser } from '../../testing/dashboard-client.js';
import {
  migratedSchema,
  startTestGateway,
  type TestAccount,
  type TestGateway,
} from '../../testing/start-test-gateway.js';

const users = '/dashboard/api/users';
const invitations = '/dashboard/api/invitations';
const newPassword = 'a-password-of-bo';

describe('the team of an account, on two gateways', () => {
  let postgres: TestPostgres;
  let gateway: TestGateway;
  let other: TestGateway;
  let account: TestAccount;
  let owner: DashboardClient;
  let made = 0;

  beforeAll(async () => {
    postgres = await startPostgres({ template: migratedSchema });
    gateway = await startTestGateway({ databaseUrl: postgres.url });
    other = await startTestGateway({ databaseUrl: postgres.url });
  });
  beforeEach(async () => {
    account = await gateway.makeAccount();
    owner = await DashboardClient.signedIn(gateway, account.accountID);
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
  const newEmail = () => `bo-${(made += 1)}@example.com`;
  const invite = async (role: AccountRole, email = newEmail()) => {
    const { body } = await owner.send('post', invitations, { email, role }).expect(201);
    const { url, invitationID, expiresAt } = body.invitation as Record<'url' | 'invitationID' | 'expiresAt', string>;
    return { email, url, invitationID, expiresAt, token: new URL(url).hash.slice(1) };
  };
  const accept = (token: string, at = gateway.url) =>
    new DashboardClient(at).send('post', `${invitations}/accept`, { token, newPassword });
  const join = async (role: AccountRole) => {
    const user = await makeDashboardUser(gateway, account.accountID, role);
    const page = new DashboardClient(gateway.url);
    await page.signIn(user).expect(201);
    return { ...user, page };
  };
  const rolesIn = async () => {
    const { body } = await owner.get(users).expect(200);
    return (body.users as { email: string; role: string }[]).map(({ email, role }) => [email, role]);
  };

  it('makes a user of the person who takes the link, once, on any gateway', async () => {
    const { email, token, url } = await invite('developer', ` Bo-${(made += 1)}@Example.com`.trim());
    expect(url).toMatch(/\/dashboard\/invitation#[\w-]{43}$/);
    const answers = await Promise.all([accept(token), accept(token, other.url)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
    const page = new DashboardClient(other.url);
    const { body } = await page.signIn({ email, password: newPassword }).expect(201);
    expect(body.session).toMatchObject({
      user: { email: email.toLowerCase(), role: 'developer' },
      account: { accountID: account.accountID },
    });
    expect((await owner.get(invitations).expect(200)).body.total).toBe(0);
  });

  it('gives each link seven days', async () => {
    const { expiresAt } = await invite('viewer');
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 7 * 24 * 3_600_000)).toBeLessThan(60_000);
  });

  it('stores neither the token nor its plain hash, and writes an audit entry without it', async () => {
    const { email, token, invitationID } = await invite('viewer');
    await accept(token).expect(201);
    const database = gateway.app.get(DataSource);
    const stored = JSON.stringify(await database.query('SELECT * FROM audit_entries'));
    expect(stored).not.toContain(token);
    const { body } = await owner.get('/v1/audit-log').expect(200);
    expect(body.entries).toMatchObject([
      { action: 'POST /dashboard/api/invitations/accept', actor: { kind: 'user', name: email }, outcome: 'succeeded' },
      { action: 'POST /dashboard/api/invitations', details: { email, role: 'viewer', invitationID } },
      {},
    ]);
  });

  it('refuses a revoked and an expired link', async () => {
    const revoked = await invite('viewer');
    await owner.send('delete', `${invitations}/${revoked.invitationID}`).expect(200);
    expect(await reasonOf(accept(revoked.token))).toEqual([401, 'invalid_credentials']);
    const expired = await invite('viewer');
    await gateway.app
      .get(DataSource)
      .query(`UPDATE dashboard_invitations SET expires_at = now() - interval '1 second'`);
    expect(await reasonOf(accept(expired.token))).toEqual([401, 'invalid_credentials']);
    expect((await owner.get(invitations).expect(200)).body.total).toBe(0);
    await invite('viewer', expired.email);
  });

  it('invites nobody twice, and says of another account’s user nothing until the link is taken', async () => {
    const { email } = await invite('viewer');
    const again = () => owner.send('post', invitations, { email, role: 'viewer' });
    expect(await reasonOf(again())).toEqual([409, 'already_exists']);
    const stranger = await makeDashboardUser(gateway, (await gateway.makeAccount()).accountID);
    const { token } = await invite('viewer', stranger.email);
    expect(await reasonOf(accept(token))).toEqual([409, 'name_taken']);
    const { email: own } = await join('viewer');
    const invited = owner.send('post', invitations, { email: own.toUpperCase(), role: 'owner' });
    expect(await reasonOf(invited)).toEqual([409, 'already_exists']);
  });

  it('counts users and open invitations against the limit of the account', async () => {
    const limits = `/admin/v1/accounts/${account.accountID}/limits`;
    const administrator = await DashboardClient.signedIn(gateway, null);
    await administrator.send('put', limits, { users: 3 }).expect(200);
    const attempts = Array.from({ length: 4 }, () =>
      owner.send('post', invitations, { email: newEmail(), role: 'viewer' }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 201, 403, 403]);
  });

  it('changes the rights of a user from the next request on', async () => {
    const { userID, page } = await join('viewer');
    const room = { action: 'create', userName: 'Bo' };
    expect(await reasonOf(page.send('post', '/v1/rooms', room))).toEqual([403, 'operation_not_granted']);
    const { body } = await owner.send('post', `${users}/${userID}/role`, { role: 'developer' }).expect(200);
    expect(body.user).toMatchObject({ userID, role: 'developer' });
    await page.send('post', '/v1/rooms', room).expect(201);
    expect(await reasonOf(page.get(users))).toEqual([403, 'not_permitted']);
    await owner.send('post', `${users}/${userID}/role`, { role: 'owner' }).expect(200);
    await page.get(users).expect(200);
  });

  it('ends the sessions of a removed user at once, on every gateway, and revokes the user’s invitations', async () => {
    const { userID, page } = await join('owner');
    const { body } = await page.send('post', invitations, { email: newEmail(), role: 'owner' }).expect(201);
    await owner.send('delete', `${users}/${userID}`).expect(200);
    for (const each of [page, page.at(other.url)]) {
      expect(await reasonOf(each.get('/v1/rooms'))).toEqual([401, 'invalid_credentials']);
    }
    const token = new URL(body.invitation.url as string).hash.slice(1);
    expect(await reasonOf(accept(token))).toEqual([401, 'invalid_credentials']);
  });

  it('lets an owner give a user a reset link, which keeps the role', async () => {
    const { userID, email, page } = await join('viewer');
    const { body } = await owner.send('post', `${users}/${userID}/reset-link`).expect(200);
    const token = new URL(body.resetLink.url as string).hash.slice(1);
    await page.send('post', '/dashboard/api/password-reset', { token, newPassword }).expect(200);
    expect(await reasonOf(page.get('/v1/rooms'))).toEqual([401, 'invalid_credentials']);
    await page.signIn({ email, password: newPassword }).expect(201);
    expect(await reasonOf(page.get(users))).toEqual([403, 'not_permitted']);
  });

  it.each([
    ['removed', 'delete', ''],
    ['made a viewer', 'post', '/role'],
  ] as const)('keeps an owner when two owners have each other %s at the same time', async (_, method, path) => {
    for (let round = 0; round < 5; round += 1) {
      const second = await join('owner');
      const self = (await owner.get('/dashboard/api/session')).body.session.user.userID as string;
      const change = (page: DashboardClient, id: string) =>
        page.send(method, `${users}/${id}${path}`, method === 'post' ? { role: 'viewer' } : {});
      const answers = await Promise.all([change(owner, second.userID), change(second.page.at(other.url), self)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      if (answers[0]?.status !== 200) owner = second.page;
      expect((await rolesIn()).filter(([, role]) => role === 'owner')).toHaveLength(1);
    }
  });

  it('refuses to remove or change the last owner, also for an administrator while others remain', async () => {
    const { userID } = (await owner.get('/dashboard/api/session')).body.session.user as { userID: string };
    await join('developer');
    const refused = [409, 'last_owner'];
    expect(await reasonOf(owner.send('delete', `${users}/${userID}`))).toEqual(refused);
    expect(await reasonOf(owner.send('post', `${users}/${userID}/role`, { role: 'viewer' }))).toEqual(refused);
    const administrator = await DashboardClient.signedIn(gateway, null);
    expect(await reasonOf(administrator.send('delete', `/admin/v1/dashboard-users/${userID}`))).toEqual(refused);
  });

  it('changes and shows no user or invitation of another account', async () => {
    const { invitationID, token } = await invite('viewer');
    const { userID } = await join('viewer');
    const stranger = await DashboardClient.signedIn(gateway, (await gateway.makeAccount()).accountID);
    for (const [method, path] of [
      ['delete', ''],
      ['post', '/reset-link'],
      ['post', '/role'],
    ] as const) {
      const body = path === '/role' ? { role: 'owner' } : {};
      expect(await reasonOf(stranger.send(method, `${users}/${userID}${path}`, body))).toEqual([404, 'not_found']);
    }
    expect(await reasonOf(stranger.send('delete', `${invitations}/${invitationID}`))).toEqual([404, 'not_found']);
    expect((await stranger.get(users)).body.total).toBe(1);
    await accept(token).expect(201);
  });

  it('gives developers and viewers no account in the column that gateways of the first release read', async () => {
    for (const role of ['viewer', 'developer'] as const) {
      const { userID } = await join(role);
      const [row] = await gateway.app
        .get(DataSource)
        .query<[{ account_id: string | null }]>('SELECT account_id FROM dashboard_users WHERE id = $1', [userID]);
      expect(row.account_id).toBeNull();
    }
  });
});
