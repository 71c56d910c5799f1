import { operations } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { ResourceClient } from '../../testing/resource-client.js';
import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';

interface Key {
  keyID: string;
  type: string;
  state: string;
  maskedKey: string;
}

interface SubUser {
  subUserID: string;
  apiUserName: string;
  apiKeys: { sandbox: string };
}

describe('the keys of a sub-user', () => {
  let gateway: TestGateway;
  let owner: TestAccount;
  let subUsers: ResourceClient;
  /** Sends requests with the production key of the account. */
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

  const create = async (permissions = ['readRooms'], email = 'grace@example.com'): Promise<SubUser> => {
    const { body } = await subUsers.post('create', { name: 'Grace', email, permissions });
    return body.subUser as SubUser;
  };
  const statusWith = async ({ apiUserName }: SubUser, apiKey: string) => {
    const authorization = `Bearer ${apiUserName}:${apiKey}`;
    const { status, body } = await gateway.http.get('/v1/rooms').set('Authorization', authorization);
    return status === 200 ? 200 : (body.reason as string);
  };
  const auditedActions = async (): Promise<string[]> => {
    const { body } = await gateway.http.get('/v1/audit-log').set('Authorization', owner.authorization).expect(200);
    return body.entries.map(({ action, outcome }: { action: string; outcome: string }) => `${action} ${outcome}`);
  };
  const as = ({ apiUserName }: SubUser, apiKey: string) =>
    subUsers.as({ ...owner, authorization: `Bearer ${apiUserName}:${apiKey}` });

  const keysOf = async ({ subUserID }: SubUser) => (await subUsers.get({ subUserID })).body.subUser.keys as Key[];
  const keyOf = async (subUser: SubUser): Promise<Key> => (await keysOf(subUser))[0]!;

  it('are rotated one type at a time, and the former key ends at once', async () => {
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

  it('have one current key of each type, also after concurrent rotations', async () => {
    const { subUserID } = await create();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => inProduction.post('rotateKey', { subUserID, type: 'production' })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const statement = `SELECT count(*)::int FROM api_keys WHERE sub_user_id = $1 AND type = 'production'
      AND (expires_at IS NULL OR expires_at > now())`;
    expect(await gateway.app.get(DataSource).query(statement, [subUserID])).toEqual([{ count: 1 }]);
  });

  it('are not rotated by a caller with less rights or by a disposable key', async () => {
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

  it('are listed with their states, usable and disabled keys first', async () => {
    const subUser = await create();
    const { subUserID } = subUser;
    await subUsers.post('rotateKey', { subUserID, type: 'sandbox' });
    await subUsers.post('rotateKey', { subUserID, type: 'sandbox', overlapHours: 1 });
    const disabled = await keyOf(subUser);
    await subUsers.post('disableKey', { subUserID, keyID: disabled.keyID });
    await inProduction.post('rotateKey', { subUserID, type: 'production' });
    // Makes the key in force the oldest key.
    await gateway.app
      .get(DataSource)
      .query(`UPDATE api_keys SET created_at = created_at - interval '1 day' WHERE id = $1`, [disabled.keyID]);
    const keys = await keysOf(subUser);
    expect(keys.map(({ type, state }) => `${type} ${state}`)).toEqual([
      'production active',
      'sandbox overlapping',
      'sandbox disabled',
      'sandbox expired',
    ]);
    expect(keys[3]?.maskedKey).toBe(`${subUser.apiKeys.sandbox.slice(0, 8)}…${subUser.apiKeys.sandbox.slice(-4)}`);
  });

  it('are listed up to 100, including the key in force', async () => {
    const subUser = await create();
    const { keyID } = await keyOf(subUser);
    await gateway.app.get(DataSource).query(
      `INSERT INTO api_keys (id, account_id, sub_user_id, type, hash, masked_key, created_at, superseded_at, expires_at)
       SELECT 'key_ended' || n || $1, account_id, sub_user_id, type, decode(md5(n::text || id), 'hex'), masked_key,
         created_at + interval '1 s', created_at, created_at
       FROM api_keys, generate_series(1, 100) n WHERE id = $1`,
      [keyID],
    );
    const keys = await keysOf(subUser);
    expect([keys.length, keys[0]?.keyID, keys[1]?.state]).toEqual([100, keyID, 'expired']);
  });

  it('are refused while they are disabled', async () => {
    const subUser = await create();
    const { subUserID, apiKeys } = subUser;
    const { keyID } = await keyOf(subUser);
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await subUsers.post('disableKey', { subUserID, keyID });
      expect([status, body]).toEqual([
        200,
        { success: true, key: expect.objectContaining({ keyID, state: 'disabled', type: 'sandbox' }) },
      ]);
      expect(await statusWith(subUser, apiKeys.sandbox)).toBe('key_disabled');
    }
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await subUsers.post('enableKey', { subUserID, keyID });
      expect([status, body.key.state]).toEqual([200, 'active']);
      expect(await statusWith(subUser, apiKeys.sandbox)).toBe(200);
    }
    const actions = await auditedActions();
    expect(actions).toEqual(
      expect.arrayContaining(['POST /v1/subusers (disableKey) succeeded', 'POST /v1/subusers (enableKey) succeeded']),
    );
  });

  it('are refused for good after their deletion, and another key can be created', async () => {
    const subUser = await create();
    const { subUserID, apiKeys } = subUser;
    const { keyID } = await keyOf(subUser);
    const first = await subUsers.post('deleteKey', { subUserID, keyID });
    expect([first.status, first.body.key.state]).toEqual([200, 'revoked']);
    expect(await statusWith(subUser, apiKeys.sandbox)).toBe('key_revoked');
    expect((await subUsers.post('deleteKey', { subUserID, keyID })).body).toEqual(first.body);
    const enabled = await subUsers.post('enableKey', { subUserID, keyID });
    expect([enabled.status, enabled.body.reason]).toEqual([409, 'already_revoked']);
    expect((await subUsers.post('disableKey', { subUserID, keyID })).body.key.state).toBe('revoked');
    const { body } = await subUsers.post('rotateKey', { subUserID, type: 'sandbox' });
    expect(await statusWith(subUser, body.key.apiKey as string)).toBe(200);
    expect((await keysOf(subUser)).map(({ state }) => state)).toEqual(['active', 'revoked']);
    expect(await auditedActions()).toContain('POST /v1/subusers (deleteKey) succeeded');
  });

  it('are changed once by a repeated request', async () => {
    const subUser = await create();
    const { subUserID } = subUser;
    const { keyID } = await keyOf(subUser);
    const disable = () =>
      gateway.http
        .post('/v1/subusers')
        .set({ Authorization: owner.authorization, 'Idempotency-Key': 'disable' })
        .send({ action: 'disableKey', subUserID, keyID })
        .expect(200);
    const first = await disable();
    await subUsers.post('enableKey', { subUserID, keyID });
    const repeat = await disable();
    expect([repeat.headers['idempotent-replayed'], repeat.body]).toEqual(['true', first.body]);
    expect((await keyOf(subUser)).state).toBe('active');
  });

  it.each(['disableKey', 'enableKey', 'deleteKey'])('refuse %s to a key with less rights', async action => {
    const subUser = await create(['createRoom', 'readRooms']);
    const name = { subUserID: subUser.subUserID, keyID: (await keyOf(subUser)).keyID };
    const { body } = await subUsers.post('create', {
      name: 'Helper',
      email: 'helper@example.com',
      permissions: ['manageSubUsers', 'readRooms'],
    });
    const helper = body.subUser as SubUser;
    const parent = await subUsers.post('create', { name: 'P', email: 'p@example.com', role: 'parent' });
    const ofParent = parent.body.subUser as SubUser;
    const nameOfParent = { subUserID: ofParent.subUserID, keyID: (await keyOf(ofParent)).keyID };
    const asHelper = as(helper, helper.apiKeys.sandbox);
    const keys = new ResourceClient(gateway, '/v1/disposable-keys', owner);
    const made = await keys.post('create', { name: 'k', type: 'sandbox', operations: [...operations] });
    const disposable = `Bearer ${owner.apiUserName}:${made.body.disposableKey.apiKey as string}`;
    for (const refused of [
      await asHelper.post(action, name),
      await asHelper.post(action, nameOfParent),
      await subUsers.as({ ...owner, authorization: disposable }).post(action, name),
      await as(subUser, subUser.apiKeys.sandbox).post(action, name),
      // A key of the other environment.
      await inProduction.post(action, name),
    ]) {
      expect([refused.status, refused.body.reason]).toEqual([403, 'operation_not_granted']);
    }
    expect(await statusWith(subUser, subUser.apiKeys.sandbox)).toBe(200);
    expect((await keyOf(ofParent)).state).toBe('active');
    // Its own key, and those of sub-users with no more rights than its own.
    const ofHelper = { subUserID: helper.subUserID, keyID: (await keyOf(helper)).keyID };
    expect((await asHelper.post(action, ofHelper)).status).toBe(200);
  });

  it.each(['disableKey', 'enableKey', 'deleteKey'])('are not found for %s with another name', async action => {
    const [one, other] = [await create(), await create(['readRooms'], 'other@example.com')];
    const { keyID } = await keyOf(one);
    const stranger = subUsers.as(await gateway.makeAccount());
    const disposable = await new ResourceClient(gateway, '/v1/disposable-keys', owner).post('create', {
      ...{ name: 'k', type: 'sandbox', operations: ['readRooms'] },
    });
    const mainKeys = 'SELECT id FROM api_keys WHERE account_id = $1 AND sub_user_id IS NULL';
    const [main] = await gateway.app.get(DataSource).query<{ id: string }[]>(mainKeys, [owner.accountID]);
    const { subUserID } = one;
    for (const answer of [
      await subUsers.post(action, { subUserID: other.subUserID, keyID }),
      await subUsers.post(action, { subUserID, keyID: main?.id }),
      await subUsers.post(action, { subUserID, keyID: disposable.body.disposableKey.keyID as string }),
      await subUsers.post(action, { subUserID, keyID: 'key_nobodys' }),
      await subUsers.post(action, { subUserID: 'sub_nobodys', keyID }),
      await stranger.post(action, { subUserID, keyID }),
    ]) {
      expect([answer.status, answer.body.reason]).toEqual([404, 'not_found']);
    }
    expect(await statusWith(one, one.apiKeys.sandbox)).toBe(200);
    await gateway.http.get('/v1/rooms').set('Authorization', owner.authorization).expect(200);
  });

  it.each<[object, string]>([
    [{}, 'keyID must be the identifier of a key of the sub-user.'],
    [{ keyID: 7 }, 'keyID must be the identifier of a key of the sub-user.'],
    [{ keyID: '' }, 'keyID must be the identifier of a key of the sub-user.'],
    [{ keyID: 'key_1', subUserID: null }, 'subUserID must be the identifier of a sub-user.'],
    [{ keyID: 'key_1', force: true }, 'Unknown field'],
  ])('are not deleted by %j', async (fields, error) => {
    const { subUserID } = await create();
    const { status, body } = await subUsers.post('deleteKey', { subUserID, ...fields });
    expect([status, body.error]).toEqual([400, expect.stringContaining(error)]);
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
