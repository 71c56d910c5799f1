import { credential, TestKeys } from './testing/test-keys.js';

describe('the use of a disposable key', () => {
  let keys: TestKeys;
  beforeAll(async () => {
    keys = await TestKeys.open();
  });
  beforeEach(() => keys.renewOwner());
  afterAll(() => keys.close());

  describe('a key', () => {
    it('performs only its operations', async () => {
      const key = await keys.create();
      await keys.rooms(key).expect(200);
      const room = { action: 'create', userName: 'Ada' };
      const refused = keys.gateway.http.post('/v1/rooms').set('Authorization', credential(key)).send(room);
      expect((await refused.expect(403)).body).toMatchObject({ code: 'FORBIDDEN', reason: 'operation_not_granted' });
      expect((await keys.get({}, credential(key)).expect(403)).body.reason).toBe('operation_not_granted');
    });

    it('creates rooms of its own type', async () => {
      const key = await keys.create({ type: 'production', operations: ['createRoom'] }, keys.production.authorization);
      const room = { action: 'create', userName: 'Ada' };
      const { body } = await keys.gateway.http
        .post('/v1/rooms')
        .set('Authorization', credential(key))
        .send(room)
        .expect(201);
      expect(body.room.keyType).toBe('production');
    });

    it('is refused from the next request after its revocation, which is final and repeatable', async () => {
      const key = await keys.create();
      await keys.rooms(key).expect(200);
      const first = await keys.post({ action: 'delete', keyID: key.keyID }).expect(200);
      expect(first.body.disposableKey).toMatchObject({ keyID: key.keyID, state: 'revoked' });
      expect((await keys.rooms(key).expect(401)).body).toMatchObject({ code: 'UNAUTHORIZED', reason: 'key_revoked' });
      expect((await keys.post({ action: 'delete', keyID: key.keyID }).expect(200)).body).toEqual(first.body);
      const { body } = await keys.post({ action: 'update', keyID: key.keyID, name: 'again' }).expect(409);
      expect(body).toMatchObject({ code: 'CONFLICT', reason: 'already_revoked' });
    });

    it('expires at the end of its validity', async () => {
      const key = await keys.create({ validityDays: 1 });
      await keys.query('UPDATE disposable_keys SET expires_at = $2 WHERE id = $1', key.keyID, keys.date(1));
      await keys.rooms(key).expect(200);
      await keys.clock.advance(1);
      expect((await keys.rooms(key).expect(401)).body).toMatchObject({ code: 'UNAUTHORIZED', reason: 'key_expired' });
      expect((await keys.get({ keyID: key.keyID })).body.disposableKey.state).toBe('expired');
    });

    it('changes only the fields that are sent, from the next request on', async () => {
      const key = await keys.create({ validityDays: 10, domains: ['a.example.com'] });
      const change = async (changes: object) =>
        (await keys.post({ action: 'update', keyID: key.keyID, ...changes }).expect(200)).body.disposableKey;
      expect(await change({ operations: ['readLogs'] })).toMatchObject({ validityDays: 10, operations: ['readLogs'] });
      await keys.rooms(key).expect(403);
      expect(await change({ validityDays: null, domains: null })).toMatchObject({ expiresAt: null, domains: null });
      expect(await change({})).toMatchObject({ operations: ['readLogs'], validityDays: null });
    });

    it('is refused when its account is disabled', async () => {
      const key = await keys.create();
      await keys.query(`UPDATE accounts SET state = 'disabled' WHERE id = $1`, keys.owner.accountID);
      expect((await keys.rooms(key).expect(403)).body.reason).toBe('account_disabled');
    });

    it('keeps a record of its use', async () => {
      const key = await keys.create({ operations: ['readRooms', 'createRoom'] });
      await keys.rooms(key).expect(200);
      const { disposableKey } = (await keys.get({ keyID: key.keyID })).body;
      expect(disposableKey.lastUsedAt).toMatch(/Z$/);
      expect(disposableKey.usage).toEqual([
        { operation: 'readRooms', requestCount: 1, lastUsedAt: disposableKey.lastUsedAt },
      ]);
      for (let use = 2; use <= 3; use += 1) await keys.rooms(key).expect(200);
      const read = async () => (await keys.get({ keyID: key.keyID })).body.disposableKey;
      expect((await read()).usage[0].requestCount).toBe(1);
      await keys.clock.advance(2_000);
      const later = await read();
      expect(later.usage).toEqual([{ operation: 'readRooms', requestCount: 3, lastUsedAt: later.lastUsedAt }]);
    });
  });

  describe('the gateway accepts', () => {
    const register = (domain: string) =>
      keys.gateway.http
        .post('/v1/domains')
        .set('Authorization', keys.owner.authorization)
        .send({ action: 'create', domain })
        .expect(201);

    it.each([undefined, 'https://anywhere.example', 'http://localhost:3000', 'null'])(
      'a sandbox key from %s',
      async origin => {
        await keys.rooms(await keys.create(), origin === undefined ? {} : { Origin: origin }).expect(200);
      },
    );

    it('a narrowed sandbox key from its domains and from servers', async () => {
      const key = await keys.create({ domains: ['a.example.com', '*.b.example.com'] });
      await keys.rooms(key).expect(200);
      await keys.rooms(key, { Origin: 'http://a.example.com:3000' }).expect(200);
      await keys.rooms(key, { Origin: 'https://x.b.example.com' }).expect(200);
      for (const origin of ['https://c.example.com', 'https://b.example.com', 'null']) {
        const { body, headers } = await keys.rooms(key, { Origin: origin }).expect(403);
        expect(body).toMatchObject({ code: 'FORBIDDEN', reason: 'origin_not_allowed' });
        expect(headers['access-control-allow-origin']).toBeUndefined();
        expect(headers['vary']).toContain('Origin');
      }
    });

    it('a production key from registered domains over HTTPS', async () => {
      await register('*.example.com');
      const key = await keys.create({ type: 'production' }, keys.production.authorization);
      await keys.rooms(key).expect(200);
      await keys.rooms(key, { Origin: 'https://a.example.com' }).expect(200);
      for (const origin of ['http://a.example.com', 'https://example.org', 'null']) {
        expect((await keys.rooms(key, { Origin: origin }).expect(403)).body.reason).toBe('origin_not_allowed');
      }
    });

    it('a narrowed production key only where key and registration allow it', async () => {
      await register('*.example.com');
      const narrow = { type: 'production', domains: ['a.example.com', 'example.org'] };
      const key = await keys.create(narrow, keys.production.authorization);
      await keys.rooms(key, { Origin: 'https://a.example.com' }).expect(200);
      for (const origin of ['https://b.example.com', 'https://example.org', 'http://a.example.com']) {
        expect((await keys.rooms(key, { Origin: origin }).expect(403)).body.reason).toBe('origin_not_allowed');
      }
    });
  });
});
