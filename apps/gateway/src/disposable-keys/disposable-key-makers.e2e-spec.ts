import { credential, type Issued, TestKeys } from './testing/test-keys.js';

describe('disposable keys of those who have limits themselves', () => {
  let keys: TestKeys;
  beforeAll(async () => {
    keys = await TestKeys.open();
  });
  beforeEach(() => keys.renewOwner());
  afterAll(() => keys.close());

  describe('a key that makes keys', () => {
    const maker = (changes: object = {}) => keys.create({ operations: ['manageKeys', 'readRooms'], ...changes });
    const refusal = async (key: Issued, changes: object): Promise<string> => {
      const { body } = await keys.post(keys.fields(changes), credential(key)).expect(403);
      expect(body).toMatchObject({ code: 'FORBIDDEN', reason: 'operation_not_granted' });
      return body.error as string;
    };

    it('makes none with operations that it does not have', async () => {
      expect(await refusal(await maker(), { operations: ['readRooms', 'createRoom'] })).toContain('createRoom');
    });

    it('makes none of the other type', async () => {
      expect(await refusal(await maker(), { type: 'production' })).toContain('Use a production key');
    });

    it('makes none that outlives it', async () => {
      const key = await maker({ validityDays: 10 });
      expect(await refusal(key, { validityDays: 11 })).toContain('outlive');
      expect(await refusal(key, {})).toContain('outlive');
      await keys.create({ validityDays: 9 }, credential(key));
    });

    it('makes none that leaves its domains', async () => {
      const key = await maker({ domains: ['*.example.com'] });
      expect(await refusal(key, {})).toContain('domains');
      expect(await refusal(key, { domains: ['a.example.com', 'example.com'] })).toContain('domains');
      await keys.create({ domains: ['a.example.com', '*.b.example.com'] }, credential(key));
    });

    it('changes none that is or becomes wider', async () => {
      const key = await maker();
      const wide = await keys.create({ operations: ['createRoom'] });
      await keys.post({ action: 'update', keyID: wide.keyID, name: 'renamed' }, credential(key)).expect(403);
      const widened = { action: 'update', keyID: key.keyID, operations: ['manageKeys', 'createRoom'] };
      await keys.post(widened, credential(key)).expect(403);
      await keys.post({ action: 'update', keyID: key.keyID, operations: ['manageKeys'] }, credential(key)).expect(200);
    });

    it('takes what it made with it when it is revoked', async () => {
      const key = await maker();
      const child = await maker2(key);
      const grandchild = await keys.create({}, credential(child));
      await keys.post({ action: 'delete', keyID: key.keyID }).expect(200);
      for (const each of [child, grandchild])
        expect((await keys.rooms(each).expect(401)).body.reason).toBe('key_revoked');
    });

    const maker2 = (key: Issued) => keys.create({ operations: ['manageKeys', 'readRooms'] }, credential(key));

    it('leaves nothing alive behind a revocation that comes at the same time', async () => {
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

    it('goes by the sub-user’s name and never beyond what the sub-user may now', async () => {
      const { subUserID, apiUserName, authorization } = await subUser(['manageKeys', 'readRooms']);
      const key = await keys.create({}, authorization);
      expect(key.apiUserName).toBe(apiUserName);
      await keys.rooms(key).expect(200);
      await keys.rooms({ ...key, apiUserName: keys.owner.apiUserName }).expect(401);
      await change({ action: 'update', subUserID, permissions: ['manageKeys'] });
      await keys.rooms(key).expect(403);
    });

    it('is stopped and ends with the sub-user', async () => {
      const { subUserID, authorization } = await subUser(['manageKeys', 'readRooms']);
      const key = await keys.create({}, authorization);
      await change({ action: 'update', subUserID, state: 'disabled' });
      expect((await keys.rooms(key).expect(403)).body.reason).toBe('sub_user_disabled');
      await change({ action: 'delete', subUserID });
      await keys.rooms(key).expect(401);
    });

    it('is granted nothing that the sub-user does not have', async () => {
      const { authorization } = await subUser(['manageKeys']);
      await keys.post(keys.fields({ operations: ['createRoom'] }), authorization).expect(403);
    });
  });
});
