import { type Issued, TestKeys } from './testing/test-keys.js';

const dayMs = 86_400_000;

describe('disposable keys over HTTP', () => {
  let keys: TestKeys;
  beforeAll(async () => {
    keys = await TestKeys.open();
  });
  beforeEach(() => keys.renewOwner());
  afterAll(() => keys.close());

  describe('create', () => {
    it.each([
      ['sandbox', 'tempsand'],
      ['production', 'tempprod'],
    ])('answers a %s key once, with 64 characters that begin with %s', async (type, prefix) => {
      const asked = keys.fields({
        type,
        validityDays: 30,
        operations: ['createRoom', 'readRooms'],
        domains: ['A.example.com.'],
      });
      const maker = type === 'sandbox' ? keys.owner : keys.production;
      const { body } = await keys.post(asked, maker.authorization).expect(201);
      const { apiKey, apiUserName, ...rest } = body.disposableKey;
      expect(apiKey).toMatch(new RegExp(`^${prefix}[A-Za-z0-9]{56}$`));
      expect(apiUserName).toBe(keys.owner.apiUserName);
      expect(rest).toEqual({
        keyID: expect.stringMatching(/^key_[A-Za-z0-9]{16,}$/),
        name: asked.name,
        type,
        validityDays: 30,
        operations: ['createRoom', 'readRooms'],
        domains: ['a.example.com'],
        meetingIDs: null,
        maxRole: null,
        maskedKey: `${prefix}…${apiKey.slice(-4)}`,
        state: 'active',
        createdAt: expect.stringMatching(/Z$/),
        expiresAt: expect.stringMatching(/Z$/),
        lastUsedAt: null,
        usage: [],
      });
      expect(Date.parse(rest.expiresAt) - Date.parse(rest.createdAt)).toBe(30 * dayMs);
      const again = await keys.get({ keyID: rest.keyID }).expect(200);
      expect(again.body).toEqual({ success: true, disposableKey: rest });
    });

    it('stores only a keyed hash', async () => {
      const { apiKey } = await keys.create();
      expect(JSON.stringify(await keys.query('SELECT * FROM disposable_keys'))).not.toContain(apiKey);
      expect(JSON.stringify((await keys.get()).body)).not.toContain(apiKey);
    });

    it.each([{}, { validityDays: null }])('creates a key without an end from %j', async changes => {
      expect(await keys.create(changes)).toMatchObject({ validityDays: null, expiresAt: null, domains: null });
    });

    it('refuses the name of another key until that key is revoked', async () => {
      const first = await keys.create({ name: 'widget' });
      const { body } = await keys.post(keys.fields({ name: 'widget' })).expect(409);
      expect(body).toMatchObject({ code: 'CONFLICT', reason: 'name_taken' });
      await keys.create({ name: 'widget' }, (await keys.gateway.makeAccount()).authorization);
      await keys.post({ action: 'delete', keyID: first.keyID }).expect(200);
      await keys.create({ name: 'widget' });
    });

    it('accepts one of two concurrent requests with the same name', async () => {
      const answers = await Promise.all([1, 2].map(() => keys.post(keys.fields({ name: 'once' }))));
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
      [{ domains: ['https://a.example.com'] }, 'must be a host name'],
      [{ domains: ['a.example.com', 'co.uk'] }, 'public suffix'],
      [{ domains: [{}] }, 'must be a host name'],
      [{ apiKey: 'mine' }, 'Unknown field'],
    ])('refuses %j', async (changes, message) => {
      const { body } = await keys.post(keys.fields(changes)).expect(400);
      expect(body).toMatchObject({ success: false, code: 'BAD_REQUEST' });
      expect(body.error).toContain(message);
    });
  });

  it('are listed newest first, in pages', async () => {
    const issued: Issued[] = [];
    for (const _key of [1, 2, 3]) {
      issued.push(await keys.create());
      await keys.clock.advance(1);
    }
    const { body } = await keys.get({ startIndex: 1, pageSize: 1 }).expect(200);
    expect(body).toMatchObject({ success: true, total: 3, startIndex: 1, pageSize: 1 });
    expect(body.disposableKeys.map((key: Issued) => key.keyID)).toEqual([issued[1]?.keyID]);
    await keys.get({ pageSize: 101 }).expect(400);
  });

  it('of another account are not found', async () => {
    const { keyID } = await keys.create();
    const { authorization } = await keys.gateway.makeAccount();
    const notFound = (await keys.get({ keyID: `key_${'0'.repeat(22)}` }).expect(404)).body;
    expect((await keys.get({ keyID }, authorization).expect(404)).body).toEqual(notFound);
    for (const action of ['update', 'delete']) {
      expect((await keys.post({ action, keyID }, authorization).expect(404)).body).toEqual(notFound);
    }
    expect((await keys.get({}, authorization)).body).toMatchObject({ disposableKeys: [], total: 0 });
  });
});
