import { csrfHeader, operations } from '@rtms/contracts';
import { z } from 'zod';
import { answerOf } from '../http/api.decorators.js';
import { collectRoutes } from '../http/route-table.js';
import { DashboardClient, makeDashboardUser } from '../../testing/dashboard-client.js';
import { MediaTestBed } from '../../testing/media-test-bed.js';
import { testAdminToken, type TestAccount } from '../../testing/start-test-gateway.js';

/** Fields of answers whose values are credentials. */
const secretFields = 'apiKey apiKeys password token playbackUrl secret streamKey passphrase recoveryCodes'.split(' ');
const previousAdminToken = 'the-former-token-of-the-administrator';

interface Credential {
  name: string;
  headers: Record<string, string>;
}

interface Repeatable {
  path: string;
  body: object;
}

describe('a secret that is shown once', () => {
  let bed: MediaTestBed;
  let meetingPath: string;
  let sessionID: string;
  let account: TestAccount;
  /** Credentials other than that of the first request. */
  let others: Credential[];
  let administrators: Credential[];
  let made = 0;

  const keyOf = (name: string, { authorization }: Pick<TestAccount, 'authorization'>): Credential => {
    return { name, headers: { Authorization: authorization } };
  };
  const pageOf = async (name: string, accountID: string | null): Promise<Credential> => {
    const { cookie, csrfToken } = await DashboardClient.signedIn(bed.gateway, accountID);
    return { name, headers: { Cookie: cookie, [csrfHeader]: csrfToken } };
  };
  const send = async ({ path, body }: Repeatable, { headers }: Credential, idempotencyKey: string) => {
    const answer = await bed.gateway.http
      .post(path)
      .set({ ...headers, 'Idempotency-Key': idempotencyKey })
      .send(body);
    await bed.settled();
    return answer;
  };
  const asMain = (path: string, body: object) => bed.request('post', path, body);
  const fresh = () => `n${(made += 1)}`;

  beforeAll(async () => {
    bed = await MediaTestBed.start({ config: { previousAdminToken } });
    sessionID = await bed.openActiveSession();
    meetingPath = `/v1/meetings/${bed.meetingID}`;
    account = bed.account;
    const former = keyOf('the former main key', account);
    const path = `/admin/v1/accounts/${account.accountID}/keys/rotate`;
    const rotate = { path, body: { type: 'sandbox', overlapHours: 72 } };
    const rotated = await send(rotate, keyOf('', { authorization: `Bearer ${testAdminToken}` }), 'rotate');
    bed.account = { ...account, authorization: `Bearer ${account.apiUserName}:${rotated.body.key.apiKey}` };
    const everything = {
      name: 'Everything',
      type: 'sandbox',
      operations: operations.filter(one => one !== 'manageSubUsers'),
    };
    const disposable = await asMain('/v1/disposable-keys', { action: 'create', ...everything });
    const { apiUserName, apiKey } = disposable.body['disposableKey'] as TestAccount;
    const gil = { action: 'create', name: 'Gil', email: 'gil@example.com', role: 'parent', permissions: operations };
    const subUser = (await asMain('/v1/subusers', gil)).body['subUser'] as {
      apiUserName: string;
      apiKeys: { sandbox: string };
    };
    others = [
      former,
      keyOf('the production key', await bed.gateway.makeKey(account, 'production')),
      keyOf('a disposable key', { authorization: `Bearer ${apiUserName}:${apiKey}` }),
      keyOf('a sub-user', { authorization: `Bearer ${subUser.apiUserName}:${subUser.apiKeys.sandbox}` }),
      await pageOf('the owner in the dashboard', account.accountID),
      keyOf('another account', await bed.gateway.makeAccount()),
    ];
    administrators = [
      keyOf('the former token', { authorization: `Bearer ${previousAdminToken}` }),
      await pageOf('an administrator in the dashboard', null),
      await pageOf('another administrator', null),
    ];
  });
  afterAll(() => bed?.close());

  /** Each POST whose answer has a secret, by its route. */
  const cases: Record<string, () => Repeatable | Promise<Repeatable>> = {
    '/v1/rooms/@create': () => ({ path: '/v1/rooms', body: { action: 'create', userName: 'Ann' } }),
    '/v1/rooms/@join': () => ({
      path: '/v1/rooms',
      body: { action: 'join', userName: 'Bo', meetingID: bed.meetingID },
    }),
    '/v1/disposable-keys/@create': () => ({
      path: '/v1/disposable-keys',
      body: { action: 'create', name: fresh(), type: 'sandbox', operations: ['readRooms'] },
    }),
    '/v1/subusers/@create': () => ({
      path: '/v1/subusers',
      body: { action: 'create', name: 'Hal', email: `${fresh()}@example.com`, permissions: ['readRooms'] },
    }),
    '/v1/subusers/@rotateKey': async () => {
      const hal = { action: 'create', name: 'Hal', email: `${fresh()}@example.com`, permissions: ['readRooms'] };
      const { subUserID } = (await asMain('/v1/subusers', hal)).body['subUser'] as { subUserID: string };
      return { path: '/v1/subusers', body: { action: 'rotateKey', subUserID, type: 'sandbox' } };
    },
    '/v1/webhooks/@create': () => ({
      path: '/v1/webhooks',
      body: { action: 'create', url: 'https://hooks.example.com/' },
    }),
    '/v1/webhooks/@rotateSecret': async () => {
      const create = { action: 'create', url: 'https://hooks.example.com/' };
      const { webhookID } = (await asMain('/v1/webhooks', create)).body['webhook'] as { webhookID: string };
      return { path: '/v1/webhooks', body: { action: 'rotateSecret', webhookID } };
    },
    '/v1/meetings/:meetingID/external-sessions': () => ({
      path: `${meetingPath}/external-sessions`,
      body: { displayName: 'Camera', ingest: { protocol: 'whip', tracks: ['video'] } },
    }),
    '/v1/meetings/:meetingID/external-sessions/:sessionID/@renewToken': () => ({
      path: `${meetingPath}/external-sessions/${sessionID}`,
      body: { action: 'renewToken' },
    }),
    '/v1/meetings/:meetingID/playbacks': () => ({
      path: `${meetingPath}/playbacks`,
      body: { sourceSessionID: sessionID, tracks: ['video'] },
    }),
    '/v1/meetings/:meetingID/broadcasts': () => ({
      path: `${meetingPath}/broadcasts`,
      body: { sourceSessionID: sessionID },
    }),
    '/admin/v1/accounts/:accountID/keys': async () => ({
      path: `/admin/v1/accounts/${await newAccount()}/keys`,
      body: { type: 'sandbox' },
    }),
    '/admin/v1/accounts/:accountID/keys/rotate': async () => ({
      path: `/admin/v1/accounts/${await newAccount()}/keys/rotate`,
      body: { type: 'sandbox' },
    }),
    '/admin/v1/dashboard-users': () => ({
      path: '/admin/v1/dashboard-users',
      body: { email: `${fresh()}@example.com`, role: 'administrator' },
    }),
    '/admin/v1/dashboard-users/:userID/reset-password': async () => ({
      path: `/admin/v1/dashboard-users/${(await makeDashboardUser(bed.gateway, null)).userID}/reset-password`,
      body: {},
    }),
    '/admin/v1/dashboard-users/:userID/reset-link': async () => ({
      path: `/admin/v1/dashboard-users/${(await makeDashboardUser(bed.gateway, null)).userID}/reset-link`,
      body: {},
    }),
  };
  const newAccount = async (): Promise<string> => {
    const create = { path: '/admin/v1/accounts', body: { name: 'New' } };
    const answer = await send(create, keyOf('', { authorization: `Bearer ${testAdminToken}` }), fresh());
    return answer.body.account.accountID as string;
  };

  it('appears only in answers that this test knows', () => {
    const routes = collectRoutes(bed.gateway.app).filter(({ method, path, handler }) => {
      // Requests of the page are not repeated. Changes of tracks return the session without a secret.
      if (method !== 'POST' || /^\/dashboard\/|\/tracks\//.test(path)) return false;
      const described = JSON.stringify(z.toJSONSchema(answerOf(handler).schema, { io: 'output' }));
      return secretFields.some(field => described.includes(`"${field}":{`)) || described.includes('"ResetLink"');
    });
    expect(routes.map(({ path }) => path).sort()).toEqual(Object.keys(cases).sort());
  });

  it.each(Object.keys(cases))('is repeated to no other credential: %s', async route => {
    const isAdministration = route.startsWith('/admin/');
    const sender = isAdministration
      ? keyOf('the token', { authorization: `Bearer ${testAdminToken}` })
      : keyOf('the main key', bed.account);
    const request = await cases[route]!();
    const idempotencyKey = fresh();
    const first = await send(request, sender, idempotencyKey);
    expect(first.status).toBeLessThan(300);
    const secrets = secretsIn(first.body);
    expect(secrets.length).toBeGreaterThan(0);
    // Two tokens for one resource from the same second are equal.
    await bed.advance(1_000);
    for (const other of isAdministration ? administrators : others) {
      const { headers, text } = await send(request, other, idempotencyKey);
      expect([other.name, headers['idempotent-replayed']]).toEqual([other.name, undefined]);
      expect([other.name, secrets.filter(secret => text.includes(secret))]).toEqual([other.name, []]);
    }
    const again = await send(request, sender, idempotencyKey);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
  });
});

/** The texts in the fields with secrets, at any depth. */
function secretsIn(value: unknown, isSecret = false): string[] {
  // A link has its secret in the fragment.
  if (typeof value === 'string') return isSecret || /^https?:.*#/.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) => secretsIn(inner, isSecret || secretFields.includes(field)));
}
