import { DataSource } from 'typeorm';
import { startTestGateway, type TestAccount, type TestGateway } from '../testing/start-test-gateway.js';

const dayMs = 86_400_000;

interface Issued {
  keyID: string;
  apiKey: string;
  apiUserName: string;
}

const credential = ({ apiUserName, apiKey }: Issued) => `Bearer ${apiUserName}:${apiKey}`;

describe('disposable keys over HTTP', () => {
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

  const post = (body: object, authorization = owner.authorization) =>
    gateway.http.post('/v1/disposable-keys').set('Authorization', authorization).send(body);
  const get = (query: object = {}, authorization = owner.authorization) =>
    gateway.http.get('/v1/disposable-keys').set('Authorization', authorization).query(query);
  const rooms = (key: Issued, headers: Record<string, string> = {}) =>
    gateway.http.get('/v1/rooms').set({ Authorization: credential(key), ...headers });
  const fields = (changes: object = {}) => ({
    action: 'create',
    name: `widget ${(made += 1)}`,
    type: 'sandbox',
    operations: ['readRooms'],
    ...changes,
  });
  const create = async (changes: object = {}, authorization = owner.authorization): Promise<Issued> => {
    const { body } = await post(fields(changes), authorization).expect(201);
    return body.disposableKey as Issued;
  };
  const query = (statement: string, ...values: unknown[]): Promise<unknown> =>
    gateway.app.get(DataSource).query(statement, values);

  describe('create', () => {
    it.each([
      ['sandbox', 'tempsand'],
      ['production', 'tempprod'],
    ])('gives a whole %s key once, 64 characters that begin with %s', async (type, prefix) => {
      const asked = fields({
        type,
        validityDays: 30,
        operations: ['createRoom', 'readRooms'],
        domains: ['A.example.com.'],
      });
      const { body } = await post(asked).expect(201);
      const { apiKey, apiUserName, ...rest } = body.disposableKey;
      expect(apiKey).toMatch(new RegExp(`^${prefix}[A-Za-z0-9]{56}$`));
      expect(apiUserName).toBe(owner.apiUserName);
      expect(rest).toEqual({
        keyID: expect.stringMatching(/^key_[A-Za-z0-9]{16,}$/),
        name: asked.name,
        type,
        validityDays: 30,
        operations: ['createRoom', 'readRooms'],
        domains: ['a.example.com'],
        maskedKey: prefix,
        state: 'active',
        createdAt: expect.stringMatching(/Z$/),
        expiresAt: expect.stringMatching(/Z$/),
        lastUsedAt: null,
        usage: [],
      });
      expect(Date.parse(rest.expiresAt) - Date.parse(rest.createdAt)).toBe(30 * dayMs);
      const again = await get({ keyID: rest.keyID }).expect(200);
      expect(again.body).toEqual({ success: true, disposableKey: rest });
    });

    it('keeps only a keyed hash', async () => {
      const { apiKey } = await create();
      expect(JSON.stringify(await query('SELECT * FROM disposable_keys'))).not.toContain(apiKey);
      expect(JSON.stringify((await get()).body)).not.toContain(apiKey);
    });

    it.each([{}, { validityDays: null }])('makes a key that never ends from %j', async changes => {
      expect(await create(changes)).toMatchObject({ validityDays: null, expiresAt: null, domains: null });
    });

    it('refuses a name that another key has, until that one is revoked', async () => {
      const first = await create({ name: 'widget' });
      const { body } = await post(fields({ name: 'widget' })).expect(409);
      expect(body).toMatchObject({ code: 'CONFLICT', reason: 'name_taken' });
      await create({ name: 'widget' }, (await gateway.makeAccount()).authorization);
      await post({ action: 'delete', keyID: first.keyID }).expect(200);
      await create({ name: 'widget' });
    });

    it('gives one of two that ask for the same name at once', async () => {
      const answers = await Promise.all([1, 2].map(() => post(fields({ name: 'once' }))));
      expect(answers.map(answer => answer.status).sort()).toEqual([201, 409]);
    });

    it.each([
      [{ name: '' }, 'name must'],
      [{ type: 'live' }, 'type must'],
      [{ validityDays: 0 }, 'validityDays must'],
      [{ validityDays: 3651 }, 'validityDays must'],
      [{ validityDays: 1.5 }, 'validityDays must'],
      [{ validityDays: '30' }, 'validityDays must'],
      [{ operations: [] }, 'operations must'],
      [{ operations: null }, 'operations must'],
      [{ operations: ['everything'] }, 'operations must'],
      [{ operations: ['readRooms', 'readRooms'] }, 'operations must'],
      [{ domains: [] }, 'domains must'],
      [{ domains: 'a.example.com' }, 'domains must'],
      [{ domains: ['https://a.example.com'] }, 'Domain must be a host name'],
      [{ domains: ['a.example.com', 'co.uk'] }, 'public suffix'],
      [{ domains: [{}] }, 'Domain must be a host name'],
      [{ apiKey: 'mine' }, 'Unknown field'],
    ])('refuses %j', async (changes, message) => {
      const { body } = await post(fields(changes)).expect(400);
      expect(body).toMatchObject({ success: false, code: 'BAD_REQUEST' });
      expect(body.error).toContain(message);
    });
  });

  describe('a key', () => {
    it('does what it is granted, and nothing else', async () => {
      const key = await create();
      await rooms(key).expect(200);
      const room = { action: 'create', userName: 'Ada' };
      const refused = gateway.http.post('/v1/rooms').set('Authorization', credential(key)).send(room);
      expect((await refused.expect(403)).body).toMatchObject({ code: 'FORBIDDEN', reason: 'operation_not_granted' });
      expect((await get({}, credential(key)).expect(403)).body.reason).toBe('operation_not_granted');
    });

    it('makes rooms of its own type', async () => {
      const key = await create({ type: 'production', operations: ['createRoom'] });
      const room = { action: 'create', userName: 'Ada' };
      const { body } = await gateway.http
        .post('/v1/rooms')
        .set('Authorization', credential(key))
        .send(room)
        .expect(201);
      expect(body.room.keyType).toBe('production');
    });

    it('is revoked by the next request, for good and repeatably', async () => {
      const key = await create();
      await rooms(key).expect(200);
      const first = await post({ action: 'delete', keyID: key.keyID }).expect(200);
      expect(first.body.disposableKey).toMatchObject({ keyID: key.keyID, state: 'revoked' });
      expect((await rooms(key).expect(401)).body).toMatchObject({ code: 'UNAUTHORIZED', reason: 'key_revoked' });
      expect((await post({ action: 'delete', keyID: key.keyID }).expect(200)).body).toEqual(first.body);
      const { body } = await post({ action: 'update', keyID: key.keyID, name: 'again' }).expect(409);
      expect(body).toMatchObject({ code: 'CONFLICT', reason: 'already_revoked' });
    });

    it('ends when its time is over', async () => {
      const key = await create({ validityDays: 1 });
      await query(`UPDATE disposable_keys SET expires_at = now() - interval '1 ms' WHERE id = $1`, key.keyID);
      expect((await rooms(key).expect(401)).body).toMatchObject({ code: 'UNAUTHORIZED', reason: 'key_expired' });
      expect((await get({ keyID: key.keyID })).body.disposableKey.state).toBe('expired');
    });

    it('changes in what is sent alone, from the next request on', async () => {
      const key = await create({ validityDays: 10, domains: ['a.example.com'] });
      const change = async (changes: object) =>
        (await post({ action: 'update', keyID: key.keyID, ...changes }).expect(200)).body.disposableKey;
      expect(await change({ operations: ['readLogs'] })).toMatchObject({ validityDays: 10, operations: ['readLogs'] });
      await rooms(key).expect(403);
      expect(await change({ validityDays: null, domains: null })).toMatchObject({ expiresAt: null, domains: null });
      expect(await change({})).toMatchObject({ operations: ['readLogs'], validityDays: null });
    });

    it('ends with its account', async () => {
      const key = await create();
      await query(`UPDATE accounts SET state = 'disabled' WHERE id = $1`, owner.accountID);
      expect((await rooms(key).expect(403)).body.reason).toBe('account_disabled');
    });

    it('keeps a record of its use', async () => {
      const key = await create({ operations: ['readRooms', 'createRoom'] });
      await rooms(key).expect(200);
      const { disposableKey } = (await get({ keyID: key.keyID })).body;
      expect(disposableKey.lastUsedAt).toMatch(/Z$/);
      expect(disposableKey.usage).toEqual([
        { operation: 'readRooms', requestCount: 1, lastUsedAt: disposableKey.lastUsedAt },
      ]);
      await rooms(key).expect(200);
      expect((await get({ keyID: key.keyID })).body.disposableKey).toEqual(disposableKey);
      await query(`UPDATE disposable_keys SET last_used_at = now() - interval '61 s' WHERE id = $1`, key.keyID);
      await rooms(key).expect(200);
      const later = (await get({ keyID: key.keyID })).body.disposableKey;
      expect(later.usage).toEqual([{ operation: 'readRooms', requestCount: 3, lastUsedAt: later.lastUsedAt }]);
    });
  });

  describe('where a key is taken from', () => {
    const register = (domain: string) =>
      gateway.http
        .post('/v1/domains')
        .set('Authorization', owner.authorization)
        .send({ action: 'create', domain })
        .expect(201);

    it.each([undefined, 'https://anywhere.example', 'http://localhost:3000', 'null'])(
      'a sandbox key from %s',
      async origin => {
        await rooms(await create(), origin === undefined ? {} : { Origin: origin }).expect(200);
      },
    );

    it('a sandbox key that is narrowed from its domains and from servers', async () => {
      const key = await create({ domains: ['a.example.com', '*.b.example.com'] });
      await rooms(key).expect(200);
      await rooms(key, { Origin: 'http://a.example.com:3000' }).expect(200);
      await rooms(key, { Origin: 'https://x.b.example.com' }).expect(200);
      for (const origin of ['https://c.example.com', 'https://b.example.com', 'null']) {
        const { body, headers } = await rooms(key, { Origin: origin }).expect(403);
        expect(body).toMatchObject({ code: 'FORBIDDEN', reason: 'origin_not_allowed' });
        expect(headers['access-control-allow-origin']).toBeUndefined();
        expect(headers['vary']).toContain('Origin');
      }
    });

    it('a production key from registered domains over HTTPS', async () => {
      await register('*.example.com');
      const key = await create({ type: 'production' });
      await rooms(key).expect(200);
      await rooms(key, { Origin: 'https://a.example.com' }).expect(200);
      for (const origin of ['http://a.example.com', 'https://example.org', 'null']) {
        expect((await rooms(key, { Origin: origin }).expect(403)).body.reason).toBe('origin_not_allowed');
      }
    });

    it('a production key that is narrowed only where both say so', async () => {
      await register('*.example.com');
      const key = await create({ type: 'production', domains: ['a.example.com', 'example.org'] });
      await rooms(key, { Origin: 'https://a.example.com' }).expect(200);
      for (const origin of ['https://b.example.com', 'https://example.org', 'http://a.example.com']) {
        expect((await rooms(key, { Origin: origin }).expect(403)).body.reason).toBe('origin_not_allowed');
      }
    });
  });

  describe('a key that makes keys', () => {
    const maker = (changes: object = {}) => create({ operations: ['manageKeys', 'readRooms'], ...changes });
    const refusal = async (key: Issued, changes: object): Promise<string> => {
      const { body } = await post(fields(changes), credential(key)).expect(403);
      expect(body).toMatchObject({ code: 'FORBIDDEN', reason: 'operation_not_granted' });
      return body.error as string;
    };

    it('makes none with operations that it does not have', async () => {
      expect(await refusal(await maker(), { operations: ['readRooms', 'createRoom'] })).toContain('createRoom');
    });

    it('makes none of the other type', async () => {
      expect(await refusal(await maker(), { type: 'production' })).toContain('own type');
    });

    it('makes none that outlives it', async () => {
      const key = await maker({ validityDays: 10 });
      expect(await refusal(key, { validityDays: 11 })).toContain('outlive');
      expect(await refusal(key, {})).toContain('outlive');
      await create({ validityDays: 9 }, credential(key));
    });

    it('makes none that leaves its domains', async () => {
      const key = await maker({ domains: ['*.example.com'] });
      expect(await refusal(key, {})).toContain('domains');
      expect(await refusal(key, { domains: ['a.example.com', 'example.com'] })).toContain('domains');
      await create({ domains: ['a.example.com', '*.b.example.com'] }, credential(key));
    });

    it('changes none that is or becomes wider', async () => {
      const key = await maker();
      const wide = await create({ operations: ['createRoom'] });
      await post({ action: 'update', keyID: wide.keyID, name: 'renamed' }, credential(key)).expect(403);
      const widened = { action: 'update', keyID: key.keyID, operations: ['manageKeys', 'createRoom'] };
      await post(widened, credential(key)).expect(403);
      await post({ action: 'update', keyID: key.keyID, operations: ['manageKeys'] }, credential(key)).expect(200);
    });

    it('takes what it made with it when it is revoked', async () => {
      const key = await maker();
      const child = await maker2(key);
      const grandchild = await create({}, credential(child));
      await post({ action: 'delete', keyID: key.keyID }).expect(200);
      for (const each of [child, grandchild]) expect((await rooms(each).expect(401)).body.reason).toBe('key_revoked');
    });

    const maker2 = (key: Issued) => create({ operations: ['manageKeys', 'readRooms'] }, credential(key));

    it('leaves nothing alive behind a revocation that comes at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const key = await maker();
        const [created] = await Promise.all([
          post(fields(), credential(key)),
          post({ action: 'delete', keyID: key.keyID }),
        ]);
        if (created.status === 201) await rooms(created.body.disposableKey as Issued).expect(401);
        else expect([created.status, created.body.reason]).toEqual([401, 'key_revoked']);
      }
    });
  });

  describe('a key of a sub-user', () => {
    const subUser = async (permissions: string[]) => {
      const request = { action: 'create', name: 'G', email: `g-${(made += 1)}@example.com`, permissions };
      const { body } = await gateway.http
        .post('/v1/subusers')
        .set('Authorization', owner.authorization)
        .send(request)
        .expect(201);
      const { subUserID, apiUserName, apiKeys } = body.subUser;
      return { subUserID, apiUserName, authorization: `Bearer ${apiUserName}:${apiKeys.sandbox}` };
    };
    const change = (body: object) =>
      gateway.http.post('/v1/subusers').set('Authorization', owner.authorization).send(body).expect(200);

    it('goes by the sub-user’s name and never beyond what the sub-user may now', async () => {
      const { subUserID, apiUserName, authorization } = await subUser(['manageKeys', 'readRooms']);
      const key = await create({}, authorization);
      expect(key.apiUserName).toBe(apiUserName);
      await rooms(key).expect(200);
      await rooms({ ...key, apiUserName: owner.apiUserName }).expect(401);
      await change({ action: 'update', subUserID, permissions: ['manageKeys'] });
      await rooms(key).expect(403);
    });

    it('is stopped and ends with the sub-user', async () => {
      const { subUserID, authorization } = await subUser(['manageKeys', 'readRooms']);
      const key = await create({}, authorization);
      await change({ action: 'update', subUserID, state: 'disabled' });
      expect((await rooms(key).expect(403)).body.reason).toBe('sub_user_disabled');
      await change({ action: 'delete', subUserID });
      await rooms(key).expect(401);
    });

    it('is granted nothing that the sub-user does not have', async () => {
      const { authorization } = await subUser(['manageKeys']);
      await post(fields({ operations: ['createRoom'] }), authorization).expect(403);
    });
  });

  it('are listed newest first, in pages', async () => {
    const keys = [await create(), await create(), await create()];
    const { body } = await get({ startIndex: 1, pageSize: 1 }).expect(200);
    expect(body).toMatchObject({ success: true, total: 3, startIndex: 1, pageSize: 1 });
    expect(body.disposableKeys.map((key: Issued) => key.keyID)).toEqual([keys[1]?.keyID]);
    await get({ pageSize: 101 }).expect(400);
  });

  it('of another account are not there', async () => {
    const { keyID } = await create();
    const { authorization } = await gateway.makeAccount();
    const notFound = (await get({ keyID: `key_${'0'.repeat(22)}` }).expect(404)).body;
    expect((await get({ keyID }, authorization).expect(404)).body).toEqual(notFound);
    for (const action of ['update', 'delete']) {
      expect((await post({ action, keyID }, authorization).expect(404)).body).toEqual(notFound);
    }
    expect((await get({}, authorization)).body).toMatchObject({ disposableKeys: [], total: 0 });
  });
});
