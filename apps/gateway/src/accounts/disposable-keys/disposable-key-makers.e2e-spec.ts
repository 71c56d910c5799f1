import { credential, type Issued, TestKeys } from './testing/test-keys.js';

describe('disposable keys of limited callers', () => {
  let keys: TestKeys;
  beforeAll(async () => {
    keys = await TestKeys.open();
  });
  beforeEach(() => keys.renewOwner());
  afterAll(() => keys.close());

  describe('a key that creates keys', () => {
    const maker = (changes: object = {}) => keys.create({ operations: ['manageKeys', 'readRooms'], ...changes });
    const refusal = async (key: Issued, changes: object): Promise<string> => {
      const { body } = await keys.post(keys.fields(changes), credential(key)).expect(403);
      expect(body).toMatchObject({ code: 'FORBIDDEN', reason: 'operation_not_granted' });
      return body.error as string;
    };

    it('creates no key with operations that it does not have', async () => {
      expect(await refusal(await maker(), { operations: ['readRooms', 'createRoom'] })).toContain('createRoom');
    });

    it('creates no key of the other type', async () => {
      expect(await refusal(await maker(), { type: 'production' })).toContain('Use a production key');
    });

    it('creates no key that outlives it', async () => {
      const key = await maker({ validityDays: 10 });
      expect(await refusal(key, { validityDays: 11 })).toContain('expire after it');
      expect(await refusal(key, {})).toContain('expire after it');
      await keys.create({ validityDays: 9 }, credential(key));
    });

    it('creates no key for other domains', async () => {
      const key = await maker({ domains: ['*.example.com'] });
      expect(await refusal(key, {})).toContain('domains');
      expect(await refusal(key, { domains: ['a.example.com', 'example.com'] })).toContain('domains');
      await keys.create({ domains: ['a.example.com', '*.b.example.com'] }, credential(key));
    });

    it('changes no key that has or gets more rights', async () => {
      const key = await maker();
      const wide = await keys.create({ operations: ['createRoom'] });
      await keys.post({ action: 'update', keyID: wide.keyID, name: 'renamed' }, credential(key)).expect(403);
      const widened = { action: 'update', keyID: key.keyID, operations: ['manageKeys', 'createRoom'] };
      await keys.post(widened, credential(key)).expect(403);
      await keys.post({ action: 'update', keyID: key.keyID, operations: ['manageKeys'] }, credential(key)).expect(200);
    });

    it('neither revokes nor narrows a key with more rights, but can revoke itself', async () => {
      const key = await maker();
      const wide = await keys.create({ operations: ['createRoom', 'readRooms'] });
      const refused = { code: 'FORBIDDEN', reason: 'operation_not_granted' };
      for (const change of [{ action: 'delete' }, { action: 'update', operations: ['readRooms'] }]) {
        const { body } = await keys.post({ ...change, keyID: wide.keyID }, credential(key)).expect(403);
        expect(body).toMatchObject(refused);
      }
      await keys.rooms(wide).expect(200);
      const equal = await keys.create({});
      await keys.post({ action: 'delete', keyID: equal.keyID }, credential(key)).expect(200);
      await keys.rooms(equal).expect(401);
      await keys.post({ action: 'delete', keyID: key.keyID }, credential(key)).expect(200);
      await keys.rooms(key).expect(401);
    });

    it('changes and deletes no sub-user', async () => {
      const key = await keys.create({ operations: ['manageSubUsers'] });
      const subUsers = (body: object, authorization: string) =>
        keys.gateway.http.post('/v1/subusers').set('Authorization', authorization).send(body);
      const made = { action: 'create', name: 'G', email: 'wider@example.com', permissions: ['readRooms'] };
      const { body } = await subUsers(made, keys.owner.authorization).expect(201);
      const { subUserID } = body.subUser as { subUserID: string };
      for (const change of [{ action: 'delete' }, { action: 'update', state: 'disabled' }])
        await subUsers({ ...change, subUserID }, credential(key)).expect(403);
      await subUsers({ action: 'delete', subUserID }, keys.owner.authorization).expect(200);
    });

    it('revokes the keys that it created when it is revoked', async () => {
      const key = await maker();
      const child = await maker2(key);
      const grandchild = await keys.create({}, credential(child));
      await keys.post({ action: 'delete', keyID: key.keyID }).expect(200);
      for (const each of [child, grandchild])
        expect((await keys.rooms(each).expect(401)).body.reason).toBe('key_revoked');
    });

    const maker2 = (key: Issued) => keys.create({ operations: ['manageKeys', 'readRooms'] }, credential(key));

    it('leaves no working key after a concurrent revocation', async () => {
      for (let round = 0; round < 5; round += 1) {
        const key = await maker();
        const [created] = await Promise.all([
          keys.post(keys.fields(), credential(key)),
          keys.post({ action: 'delete', keyID: key.keyID }),
        ]);
        if (created.status === 201) await keys.rooms(created.body.disposableKey as Issued).expect(401);
        else expect([created.status, created.body.reason]).toEqual([401, 'key_revoked']);
      }
    });
  });

  describe('a key of a sub-user', () => {
    const subUser = async (permissions: string[]) => {
      const request = { action: 'create', name: 'G', email: `g-${(keys.made += 1)}@example.com`, permissions };
      const { body } = await keys.gateway.http
        .post('/v1/subusers')
        .set('Authorization', keys.owner.authorization)
        .send(request)
        .expect(201);
      const { subUserID, apiUserName, apiKeys } = body.subUser;
      return { subUserID, apiUserName, authorization: `Bearer ${apiUserName}:${apiKeys.sandbox}` };
    };
    const change = (body: object) =>
      keys.gateway.http.post('/v1/subusers').set('Authorization', keys.owner.authorization).send(body).expect(200);

    it('uses the sub-user’s name and never exceeds its current permissions', async () => {
      const { subUserID, apiUserName, authorization } = await subUser(['manageKeys', 'readRooms']);
      const key = await keys.create({}, authorization);
      expect(key.apiUserName).toBe(apiUserName);
      await keys.rooms(key).expect(200);
      await keys.rooms({ ...key, apiUserName: keys.owner.apiUserName }).expect(401);
      await change({ action: 'update', subUserID, permissions: ['manageKeys'] });
      await keys.rooms(key).expect(403);
    });

    it('is disabled and deleted with the sub-user', async () => {
      const { subUserID, authorization } = await subUser(['manageKeys', 'readRooms']);
      const key = await keys.create({}, authorization);
      await change({ action: 'update', subUserID, state: 'disabled' });
      expect((await keys.rooms(key).expect(403)).body.reason).toBe('sub_user_disabled');
      await change({ action: 'delete', subUserID });
      await keys.rooms(key).expect(401);
    });

    it('revokes the keys of the sub-user, but no key with more rights', async () => {
      const { subUserID, authorization } = await subUser(['manageKeys', 'readRooms']);
      const [own, wide] = [await keys.create({}, authorization), await keys.create({ operations: ['createRoom'] })];
      await change({ action: 'update', subUserID, permissions: ['manageKeys'] });
      await keys.post({ action: 'delete', keyID: wide.keyID }, authorization).expect(403);
      await keys.post({ action: 'delete', keyID: own.keyID }, authorization).expect(200);
    });

    it('changes and deletes no sub-user with more rights', async () => {
      const { authorization } = await subUser(['manageSubUsers', 'readRooms']);
      const [wide, equal] = [await subUser(['createRoom']), await subUser(['readRooms'])];
      const send = (body: object) =>
        keys.gateway.http.post('/v1/subusers').set('Authorization', authorization).send(body);
      await send({ action: 'update', subUserID: wide.subUserID, state: 'disabled' }).expect(403);
      await send({ action: 'delete', subUserID: wide.subUserID }).expect(403);
      await send({ action: 'update', subUserID: equal.subUserID, state: 'disabled' }).expect(200);
      await send({ action: 'delete', subUserID: equal.subUserID }).expect(200);
    });

    it('has no operation that the sub-user does not have', async () => {
      const { authorization } = await subUser(['manageKeys']);
      await keys.post(keys.fields({ operations: ['createRoom'] }), authorization).expect(403);
    });
  });

  describe('a key that is bound to rooms and a role', () => {
    const rooms = (body: object, authorization: string) =>
      keys.gateway.http.post('/v1/rooms').set('Authorization', authorization).send(body);
    const makeRoom = async (): Promise<string> => {
      const { body } = await rooms({ action: 'create', userName: 'Ada' }, keys.owner.authorization).expect(201);
      return body.room.meetingID as string;
    };
    const join = (meetingID: string, role: string, key: Issued) =>
      rooms({ action: 'join', userName: 'Grace', meetingID, role }, credential(key));
    const readsAndJoins = { operations: ['joinRoom', 'readRooms', 'playMedia'] };

    it('reaches only these rooms', async () => {
      const [meetingID, other] = [await makeRoom(), await makeRoom()];
      const key = await keys.create({ ...readsAndJoins, meetingIDs: [meetingID] });
      await join(meetingID, 'host', key).expect(201);
      const get = (path: string) => keys.gateway.http.get(path).set('Authorization', credential(key));
      await get(`/v1/rooms?meetingID=${meetingID}`).expect(200);
      await get(`/v1/meetings/${meetingID}/playbacks`).expect(200);
      const refused = { code: 'FORBIDDEN', reason: 'operation_not_granted' };
      expect((await join(other, 'viewer', key).expect(403)).body).toMatchObject(refused);
      for (const path of [
        '/v1/rooms',
        `/v1/rooms?meetingID=${other}`,
        `/v1/rooms?meetingID=${meetingID}&meetingID=${other}`,
        `/v1/meetings/${other}/playbacks?meetingID=${meetingID}`,
      ])
        expect((await get(path).expect(403)).body).toMatchObject(refused);
      const created = await keys.get({ keyID: key.keyID }).expect(200);
      expect(created.body.disposableKey).toMatchObject({ meetingIDs: [meetingID], maxRole: null });
    });

    it('gives nobody a higher role', async () => {
      const meetingID = await makeRoom();
      const key = await keys.create({ operations: ['joinRoom', 'createRoom'], maxRole: 'participant' });
      await join(meetingID, 'viewer', key).expect(201);
      await join(meetingID, 'participant', key).expect(201);
      for (const refused of [
        join(meetingID, 'host', key),
        join(meetingID, 'cohost', key),
        rooms({ action: 'create', userName: 'Ada' }, credential(key)),
      ])
        expect((await refused.expect(403)).body).toMatchObject({ code: 'FORBIDDEN', reason: 'role_not_allowed' });
    });

    it.each([
      { meetingIDs: ['room_x'], operations: ['createRoom'] },
      { meetingIDs: [] },
      { meetingIDs: ['room_x', 'room_x'] },
      { meetingIDs: [7] },
      { maxRole: 'owner' },
    ])('is not created with %j', async changes => {
      await keys.post(keys.fields(changes)).expect(400);
    });

    it('gets and loses its bounds by an update', async () => {
      const meetingID = await makeRoom();
      const key = await keys.create(readsAndJoins);
      const update = (fields: object) => keys.post({ action: 'update', keyID: key.keyID, ...fields });
      await update({ meetingIDs: [meetingID], maxRole: 'viewer' }).expect(200);
      await keys.rooms(key).expect(403);
      await join(meetingID, 'participant', key).expect(403);
      await update({ operations: ['createRoom'] }).expect(400);
      await update({ meetingIDs: null, maxRole: null }).expect(200);
      await keys.rooms(key).expect(200);
    });
  });
});
