import { DataSource } from 'typeorm';
import { ResourceClient } from '../testing/resource-client.js';
import { startTestGateway, type TestAccount, type TestGateway } from '../testing/start-test-gateway.js';

interface SubUser {
  subUserID: string;
  apiUserName: string;
  apiKeys: { sandbox: string };
}

describe('the keys of a sub-user', () => {
  let gateway: TestGateway;
  let owner: TestAccount;
  let subUsers: ResourceClient;
  /** As the account, by its production key. */
  let inProduction: ResourceClient;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  beforeEach(async () => {
    owner = await gateway.makeAccount();
    subUsers = new ResourceClient(gateway, '/v1/subusers', owner);
    inProduction = subUsers.as(await gateway.makeKey(owner, 'production'));
  });
  afterAll(() => gateway.close());

  const create = async (permissions = ['readRooms']): Promise<SubUser> => {
    const { body } = await subUsers.post('create', { name: 'Grace', email: 'grace@example.com', permissions });
    return body.subUser as SubUser;
  };
  const statusWith = async ({ apiUserName }: SubUser, apiKey: string) => {
    const authorization = `Bearer ${apiUserName}:${apiKey}`;
    const { status, body } = await gateway.http.get('/v1/rooms').set('Authorization', authorization);
    return status === 200 ? 200 : (body.reason as string);
  };
  const as = ({ apiUserName }: SubUser, apiKey: string) =>
    subUsers.as({ ...owner, authorization: `Bearer ${apiUserName}:${apiKey}` });

  it('are rotated one type at a time; the former one ends at once', async () => {
    const subUser = await create();
    const { subUserID, apiKeys } = subUser;
    const production = await inProduction.post('rotateKey', { subUserID, type: 'production' });
    const { status, body } = await subUsers.post('rotateKey', { subUserID, type: 'sandbox' });
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        key: {
          keyID: expect.stringMatching(/^key_/),
          type: 'sandbox',
          state: 'active',
          maskedKey: `${body.key.apiKey.slice(0, 8)}…${body.key.apiKey.slice(-4)}`,
          apiKey: expect.stringMatching(/^[A-Za-z0-9]{64}$/),
          apiUserName: subUser.apiUserName,
          createdAt: expect.stringMatching(/Z$/),
          expiresAt: null,
        },
      },
    ]);
    expect(await statusWith(subUser, apiKeys.sandbox)).toBe('key_expired');
    expect(await statusWith(subUser, body.key.apiKey)).toBe(200);
    expect(await statusWith(subUser, production.body.key.apiKey as string)).toBe(200);
    expect(JSON.stringify((await subUsers.get({ subUserID })).body)).not.toContain(body.key.apiKey);
    await gateway.http.get('/v1/rooms').set('Authorization', owner.authorization).expect(200);
  });

  it('stay valid for the overlap, and no longer', async () => {
    const subUser = await create();
    const { subUserID, apiKeys } = subUser;
    const first = await subUsers.post('rotateKey', { subUserID, type: 'sandbox', overlapHours: 72 });
    const second = await subUsers.post('rotateKey', { subUserID, type: 'sandbox', overlapHours: 1 });
    for (const key of [apiKeys.sandbox, first.body.key.apiKey, second.body.key.apiKey]) {
      expect(await statusWith(subUser, key as string)).toBe(200);
    }
    await gateway.app
      .get(DataSource)
      .query("UPDATE api_keys SET expires_at = expires_at - interval '61 minutes' WHERE sub_user_id = $1", [subUserID]);
    expect(await statusWith(subUser, apiKeys.sandbox)).toBe('key_expired');
    expect(await statusWith(subUser, first.body.key.apiKey as string)).toBe('key_expired');
    expect(await statusWith(subUser, second.body.key.apiKey as string)).toBe(200);
  });

  it('are one current of a type, also when many rotate at once', async () => {
    const { subUserID } = await create();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => inProduction.post('rotateKey', { subUserID, type: 'production' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const statement = `SELECT count(*)::int FROM api_keys WHERE sub_user_id = $1 AND type = 'production'
      AND (expires_at IS NULL OR expires_at > now())`;
    expect(await gateway.app.get(DataSource).query(statement, [subUserID])).toEqual([{ count: 1 }]);
  });

  it('are not for one to rotate who may not do what they may, or by a disposable key', async () => {
    const subUser = await create(['createRoom']);
    const { subUserID } = subUser;
    const { body } = await subUsers.post('create', {
      name: 'Helper',
      email: 'helper@example.com',
      permissions: ['manageSubUsers', 'readRooms'],
    });
    const helper = body.subUser as SubUser;
    const asHelper = as(helper, helper.apiKeys.sandbox);
    const refused = await asHelper.post('rotateKey', { subUserID, type: 'sandbox' });
    expect([refused.status, refused.body.reason]).toEqual([403, 'operation_not_granted']);
    const asItself = await as(subUser, subUser.apiKeys.sandbox).post('rotateKey', { subUserID, type: 'sandbox' });
    expect([asItself.status, asItself.body.reason]).toEqual([403, 'operation_not_granted']);
    const keys = new ResourceClient(gateway, '/v1/disposable-keys', owner);
    const made = await keys.post('create', { name: 'k', type: 'sandbox', operations: ['manageSubUsers'] });
    const disposable = `Bearer ${owner.apiUserName}:${made.body.disposableKey.apiKey as string}`;
    const byDisposable = await subUsers
      .as({ ...owner, authorization: disposable })
      .post('rotateKey', { subUserID, type: 'sandbox' });
    expect([byDisposable.status, byDisposable.body.reason]).toEqual([403, 'operation_not_granted']);
  });

  it.each<[object, string]>([
    [{}, 'type must be one of: sandbox, production.'],
    [{ type: 'sandbox', overlapHours: 73 }, 'overlapHours must be a whole number from 0 to 72.'],
    [{ type: 'sandbox', overlapHours: -1 }, 'overlapHours must be a whole number from 0 to 72.'],
    [{ type: 'sandbox', overlapHours: 1.5 }, 'overlapHours must be a whole number from 0 to 72.'],
  ])('are not rotated with %j', async (fields, error) => {
    const { subUserID } = await create();
    const { status, body } = await subUsers.post('rotateKey', { subUserID, ...fields });
    expect([status, body.error]).toEqual([400, error]);
  });
});
