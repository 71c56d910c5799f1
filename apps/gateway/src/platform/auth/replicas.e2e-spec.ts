import { AccountsService } from '../../accounts/account/accounts.service.js';
import { ApiKeysService } from '../../accounts/keys/api-keys.service.js';
import { type TestAccount, type TestGateway, TestReplicas } from '../../testing/start-test-gateway.js';

describe('two gateways on one database', () => {
  let replicas: TestReplicas;
  let one: TestGateway;
  let other: TestGateway;
  let owner: TestAccount;

  beforeAll(async () => {
    replicas = await TestReplicas.start();
    ({ gateway: one, replica: other } = replicas);
  });
  beforeEach(async () => {
    owner = await one.makeAccount();
  });
  afterAll(() => replicas?.close());

  const post = (path: string, body: object, as = owner) =>
    one.http.post(path).set('Authorization', as.authorization).send(body);
  const rooms = (authorization: string, headers: Record<string, string> = {}) =>
    other.http.get('/v1/rooms').set({ Authorization: authorization, ...headers });
  const refusal = async (authorization: string, headers: Record<string, string> = {}): Promise<[number, string]> => {
    const { status, body } = await rooms(authorization, headers);
    return [status, body.reason as string];
  };
  const disposable = async (fields: object = {}, as = owner): Promise<{ keyID: string; authorization: string }> => {
    const request = { action: 'create', name: 'widget', type: 'sandbox', operations: ['readRooms'], ...fields };
    const { keyID, apiUserName, apiKey } = (await post('/v1/disposable-keys', request, as).expect(201)).body
      .disposableKey;
    return { keyID, authorization: `Bearer ${apiUserName}:${apiKey}` };
  };
  const subUser = async (): Promise<{ subUserID: string; authorization: string }> => {
    const request = { action: 'create', name: 'G', email: 'g@example.com', permissions: ['readRooms'] };
    const { subUserID, apiUserName, apiKeys } = (await post('/v1/subusers', request).expect(201)).body.subUser;
    return { subUserID, authorization: `Bearer ${apiUserName}:${apiKeys.sandbox}` };
  };

  it('accept a new key of the other replica at once', async () => {
    await rooms(owner.authorization).expect(200);
    await rooms((await disposable()).authorization).expect(200);
    await rooms((await subUser()).authorization).expect(200);
  });

  it('refuse a disposable key that the other replica revoked at once', async () => {
    const { keyID, authorization } = await disposable();
    await rooms(authorization).expect(200);
    await post('/v1/disposable-keys', { action: 'delete', keyID }).expect(200);
    expect(await refusal(authorization)).toEqual([401, 'key_revoked']);
  });

  it('apply changed permissions of the other replica at once', async () => {
    const { keyID, authorization } = await disposable();
    await rooms(authorization).expect(200);
    await post('/v1/disposable-keys', { action: 'update', keyID, operations: ['readLogs'] }).expect(200);
    expect(await refusal(authorization)).toEqual([403, 'operation_not_granted']);
  });

  it('refuse a sub-user that the other replica disabled or deleted at once', async () => {
    const { subUserID, authorization } = await subUser();
    await rooms(authorization).expect(200);
    await post('/v1/subusers', { action: 'update', subUserID, state: 'disabled' }).expect(200);
    expect(await refusal(authorization)).toEqual([403, 'sub_user_disabled']);
    await post('/v1/subusers', { action: 'delete', subUserID }).expect(200);
    expect(await refusal(authorization)).toEqual([401, 'invalid_credentials']);
  });

  it('refuse an account that the other replica disabled and a key that it rotated at once', async () => {
    await rooms(owner.authorization).expect(200);
    const { apiKey } = await one.app
      .get(ApiKeysService, { strict: false })
      .rotate({ accountID: owner.accountID, subUserID: null }, 'sandbox', 0);
    expect(await refusal(owner.authorization)).toEqual([401, 'key_expired']);
    const rotated = `Bearer ${owner.apiUserName}:${apiKey}`;
    await rooms(rotated).expect(200);
    await one.app.get(AccountsService, { strict: false }).setState(owner.accountID, 'disabled');
    expect(await refusal(rotated)).toEqual([403, 'account_disabled']);
  });

  it('accept requests from a domain of the other replica until one of them disables it', async () => {
    const production = await one.makeKey(owner, 'production');
    const { authorization } = await disposable({ type: 'production' }, production);
    const from = { Origin: 'https://app.example.com' };
    expect(await refusal(authorization, from)).toEqual([403, 'origin_not_allowed']);
    const { body } = await post('/v1/domains', { action: 'create', domain: 'app.example.com' }).expect(201);
    await rooms(authorization, from).expect(200);
    await post('/v1/domains', { action: 'update', domainID: body.domain.domainID, enabled: false }).expect(200);
    expect(await refusal(authorization, from)).toEqual([403, 'origin_not_allowed']);
  });
});
