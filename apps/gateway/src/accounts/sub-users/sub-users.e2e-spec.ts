import { operations } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';

interface SubUser {
  subUserID: string;
  apiUserName: string;
  apiKeys: { sandbox: string };
}

const credential = ({ apiUserName, apiKeys }: SubUser) => `Bearer ${apiUserName}:${apiKeys.sandbox}`;

describe('sub-users over HTTP', () => {
  let gateway: TestGateway;
  let owner: TestAccount;
  let made = 0;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  beforeEach(async () => {
    owner = await gateway.makeAccount();
  });
  afterAll(() => gateway.close());

  const call = (authorization: string, path: string, body: object) =>
    gateway.http.post(path).set('Authorization', authorization).send(body);
  const post = (body: object, authorization = owner.authorization) => call(authorization, '/v1/subusers', body);
  const get = (query: object, authorization = owner.authorization) =>
    gateway.http.get('/v1/subusers').set('Authorization', authorization).query(query);
  const rooms = (authorization: string) => gateway.http.get('/v1/rooms').set('Authorization', authorization);
  const create = async (fields: object = {}, authorization = owner.authorization): Promise<SubUser> => {
    const email = `someone-${(made += 1)}@example.com`;
    const { body } = await post({ action: 'create', name: 'Grace', email, ...fields }, authorization).expect(201);
    return body.subUser as SubUser;
  };

  it('are created with an API username of their own and a key that is shown once', async () => {
    const fields = { name: 'Grace', email: 'Grace@example.com', role: 'parent', permissions: ['readRooms'] };
    const { body } = await post({ action: 'create', ...fields }).expect(201);
    const { apiKeys, ...rest } = body.subUser;
    expect(rest).toEqual({
      ...fields,
      subUserID: expect.stringMatching(/^sub_[A-Za-z0-9]{16,}$/),
      state: 'active',
      apiUserName: expect.stringMatching(/^[a-z0-9]{6,32}$/),
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(apiKeys).toEqual({ sandbox: expect.stringMatching(/^[A-Za-z0-9]{64}$/) });
    const one = await get({ subUserID: rest.subUserID }).expect(200);
    const keys = [expect.objectContaining({ type: 'sandbox', state: 'active' })];
    expect(one.body).toEqual({ success: true, subUser: { ...rest, keys } });
    const list = await get({}).expect(200);
    expect(list.body).toEqual({ success: true, subUsers: [rest], total: 1, startIndex: 0, pageSize: 20 });
  });

  it('get the least rights by default', async () => {
    expect(await create()).toMatchObject({ role: 'member', permissions: [], state: 'active' });
  });

  it('perform only permitted operations', async () => {
    const subUser = await create({ permissions: ['readRooms'] });
    await rooms(credential(subUser)).expect(200);
    const room = { action: 'create', userName: 'Ada' };
    const { body } = await call(credential(subUser), '/v1/rooms', room).expect(403);
    expect(body).toMatchObject({ code: 'FORBIDDEN', reason: 'operation_not_granted' });
  });

  it('authenticate only with their own API username', async () => {
    const subUser = await create({ permissions: ['readRooms'] });
    await rooms(`Bearer ${owner.apiUserName}:${subUser.apiKeys.sandbox}`).expect(401);
    await rooms(`Bearer ${subUser.apiUserName}:${owner.apiKey}`).expect(401);
  });

  it('share the rooms of the account', async () => {
    const subUser = await create({ permissions: ['createRoom'] });
    await call(credential(subUser), '/v1/rooms', { action: 'create', userName: 'Ada' }).expect(201);
    const { body } = await rooms(owner.authorization).expect(200);
    expect(body.total).toBe(1);
  });

  it('are refused from the next request after they are disabled, until they are enabled', async () => {
    const subUser = await create({ permissions: ['readRooms'] });
    await post({ action: 'update', subUserID: subUser.subUserID, state: 'disabled' }).expect(200);
    const { body } = await rooms(credential(subUser)).expect(403);
    expect(body).toMatchObject({ code: 'FORBIDDEN', reason: 'sub_user_disabled' });
    await post({ action: 'update', subUserID: subUser.subUserID, state: 'active' }).expect(200);
    await rooms(credential(subUser)).expect(200);
  });

  it('lose and gain permissions from the next request on', async () => {
    const subUser = await create({ permissions: ['readRooms'] });
    const change = (permissions: string[]) =>
      post({ action: 'update', subUserID: subUser.subUserID, permissions }).expect(200);
    await change([]);
    await rooms(credential(subUser)).expect(403);
    await change([...operations]);
    await rooms(credential(subUser)).expect(200);
  });

  it('change only the fields that are sent', async () => {
    const { subUserID, apiKeys: _, ...rest } = await create({ permissions: ['readRooms'] });
    const { body } = await post({ action: 'update', subUserID, name: 'Joan', email: null }).expect(200);
    expect(body.subUser).toEqual({ ...rest, subUserID, name: 'Joan' });
    const unchanged = await post({ action: 'update', subUserID }).expect(200);
    expect(unchanged.body).toEqual(body);
  });

  it('are deleted with their keys, and deleting again is safe', async () => {
    const subUser = await create({ permissions: ['readRooms'] });
    const { subUserID } = subUser;
    const first = await post({ action: 'delete', subUserID }).expect(200);
    expect(first.body).toEqual({ success: true, deleted: true, subUserID });
    expect((await post({ action: 'delete', subUserID }).expect(200)).body).toEqual(first.body);
    expect((await rooms(credential(subUser)).expect(401)).body.reason).toBe('invalid_credentials');
    await get({ subUserID }).expect(404);
  });

  it('have an email address that is unique in the account, in any spelling', async () => {
    await create({ email: 'One@example.com' });
    const { body } = await post({ action: 'create', name: 'B', email: 'one@EXAMPLE.com' }).expect(409);
    expect(body).toMatchObject({ code: 'CONFLICT', reason: 'name_taken' });
    const other = await create();
    const change = { action: 'update', subUserID: other.subUserID, email: 'ONE@example.com' };
    expect((await post(change).expect(409)).body.reason).toBe('name_taken');
    await create({ email: 'One@example.com' }, (await gateway.makeAccount()).authorization);
  });

  it.each([
    [{ name: '' }, 'name must'],
    [{ name: ' ' }, 'name must'],
    [{ email: 'nobody' }, 'email must'],
    [{ email: `${'a'.repeat(260)}@example.com` }, 'email must'],
    [{ role: 'owner' }, 'role must'],
    [{ permissions: ['everything'] }, 'permissions must'],
    [{ permissions: ['readRooms', 'readRooms'] }, 'permissions must'],
    [{ permissions: 'readRooms' }, 'permissions must'],
    [{ apiUserName: 'chosen1' }, 'Unknown field'],
  ])('refuse %j', async (fields, message) => {
    const { body } = await post({ action: 'create', name: 'A', email: 'a@example.com', ...fields }).expect(400);
    expect(body).toMatchObject({ success: false, code: 'BAD_REQUEST' });
    expect(body.error).toContain(message);
  });

  describe('a caller', () => {
    it('grants no operation that it does not have', async () => {
      const helper = await create({ permissions: ['manageSubUsers', 'readRooms'] });
      await create({ permissions: ['readRooms'] }, credential(helper));
      const more = { action: 'create', name: 'B', email: 'b@example.com', permissions: ['readRooms', 'createRoom'] };
      const { body } = await post(more, credential(helper)).expect(403);
      expect(body).toMatchObject({ code: 'FORBIDDEN', reason: 'operation_not_granted' });
      expect(body.error).toContain('createRoom');
      const widened = { action: 'update', subUserID: helper.subUserID, permissions: [...operations] };
      await post(widened, credential(helper)).expect(403);
    });

    it('changes no sub-user with more rights', async () => {
      const helper = await create({ permissions: ['manageSubUsers', 'readRooms'] });
      const other = await create({ permissions: ['createRoom'] });
      for (const change of [{ permissions: ['readRooms'] }, { state: 'disabled' }]) {
        const { body } = await post({ action: 'update', subUserID: other.subUserID, ...change }, credential(helper));
        expect(body).toMatchObject({ code: 'FORBIDDEN', reason: 'operation_not_granted' });
      }
    });

    it('manages no sub-users with a disposable key', async () => {
      const request = { action: 'create', name: 'k', type: 'sandbox', operations: ['manageSubUsers', 'readRooms'] };
      const { body } = await call(owner.authorization, '/v1/disposable-keys', request).expect(201);
      const authorization = `Bearer ${owner.apiUserName}:${body.disposableKey.apiKey}`;
      const wanted = { action: 'create', name: 'B', email: 'b@example.com', permissions: ['readRooms'] };
      expect((await post(wanted, authorization).expect(403)).body.reason).toBe('operation_not_granted');
      await get({}, authorization).expect(200);
    });
  });

  describe('settings', () => {
    const settings = (authorization: string) =>
      gateway.http.get('/v1/eventssettings').set('Authorization', authorization);
    const set = (authorization: string, type: string) =>
      call(authorization, '/v1/eventssettings', { action: 'create', type });

    it('of a parent-role sub-user are its own', async () => {
      const parent = await create({ role: 'parent' });
      await set(owner.authorization, 'conference').expect(201);
      expect((await settings(credential(parent)).expect(200)).body.total).toBe(0);
      await set(credential(parent), 'webinar').expect(201);
      expect((await settings(credential(parent)).expect(200)).body.total).toBe(1);
      expect((await settings(owner.authorization).expect(200)).body.total).toBe(1);
    });

    it('of a member are those of the account, if it may read them', async () => {
      await set(owner.authorization, 'conference').expect(201);
      const member = await create({ permissions: ['readSettings'] });
      expect((await settings(credential(member)).expect(200)).body.total).toBe(1);
      await settings(credential(await create())).expect(403);
    });

    it('are deleted with the sub-user', async () => {
      const parent = await create({ role: 'parent' });
      await set(credential(parent), 'webinar').expect(201);
      await post({ action: 'delete', subUserID: parent.subUserID }).expect(200);
      const statement = 'SELECT 1 FROM event_settings WHERE owner_id = $1';
      expect(await gateway.app.get(DataSource).query(statement, [parent.subUserID])).toEqual([]);
    });
  });

  it('of another account are not found', async () => {
    const { subUserID } = await create();
    const stranger = await gateway.makeAccount();
    const unknown = `sub_${'0'.repeat(22)}`;
    const notFound = (await get({ subUserID: unknown }).expect(404)).body;
    expect((await get({ subUserID }, stranger.authorization).expect(404)).body).toEqual(notFound);
    for (const action of ['update', 'delete']) {
      const { body } = await post({ action, subUserID }, stranger.authorization).expect(404);
      expect(body).toEqual(notFound);
    }
    expect((await get({}, stranger.authorization)).body).toMatchObject({ subUsers: [], total: 0 });
    await get({ subUserID }).expect(200);
  });
});
