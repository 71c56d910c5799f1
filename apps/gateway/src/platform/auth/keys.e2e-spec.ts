import { DataSource } from 'typeorm';
import { ApiKeysService } from '../../accounts/keys/api-keys.service.js';
import { AccountsService } from '../../accounts/account/accounts.service.js';
import { newID } from '../database/new-id.js';
import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';

describe('keys and origins over HTTP', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.close());

  const read = (authorization?: string, headers: Record<string, string> = {}) => {
    const request = gateway.http.get('/v1/rooms').set(headers);
    return authorization === undefined ? request : request.set('Authorization', authorization);
  };
  const keys = () => gateway.app.get(ApiKeysService, { strict: false });
  const register = (account: TestAccount, domain: string, enabled = true) =>
    gateway.app
      .get(DataSource)
      .query('INSERT INTO domains (id, account_id, domain, enabled) VALUES ($1, $2, $3, $4)', [
        newID('dom'),
        account.accountID,
        domain,
        enabled,
      ]);

  describe('a credential', () => {
    it('is the account’s name with its key', async () => {
      await read((await gateway.makeAccount()).authorization).expect(200);
    });

    it('is requested in one form', async () => {
      const { apiUserName, apiKey } = await gateway.makeAccount();
      for (const header of [undefined, 'Bearer', `Basic ${apiUserName}:${apiKey}`, `Bearer ${apiKey}`, 'Bearer a:b']) {
        const { body, headers } = await read(header).expect(401);
        expect(body).toMatchObject({ success: false, code: 'UNAUTHORIZED', reason: 'invalid_credentials' });
        expect(headers['www-authenticate']).toBe('Bearer');
      }
    });

    it('gets the same answer for a wrong name, a wrong key and another account’s name', async () => {
      const [one, other] = [await gateway.makeAccount(), await gateway.makeAccount()];
      const wrongKey = await read(`Bearer ${one.apiUserName}:${'x'.repeat(64)}`).expect(401);
      const wrongName = await read(`Bearer nobody123:${one.apiKey}`).expect(401);
      const foreignName = await read(`Bearer ${other.apiUserName}:${one.apiKey}`).expect(401);
      expect(wrongName.body).toEqual(wrongKey.body);
      expect(foreignName.body).toEqual(wrongKey.body);
    });

    it('is checked before the body', async () => {
      await gateway.http.post('/v1/rooms').set('Content-Type', 'text/plain').send('not json').expect(401);
    });

    it('is stored only as a keyed hash', async () => {
      const { apiKey } = await gateway.makeAccount();
      const rows = await gateway.app.get(DataSource).query<{ masked_key: string }[]>('SELECT * FROM api_keys');
      expect(JSON.stringify(rows)).not.toContain(apiKey);
      expect(rows.map(row => row.masked_key)).toContain(`${apiKey.slice(0, 8)}…${apiKey.slice(-4)}`);
    });

    it('is refused after its account is disabled', async () => {
      const account = await gateway.makeAccount();
      const accounts = gateway.app.get(AccountsService, { strict: false });
      await accounts.setState(account.accountID, 'disabled');
      const { body } = await read(account.authorization).expect(403);
      expect(body).toMatchObject({ code: 'FORBIDDEN', reason: 'account_disabled' });
      await accounts.setState(account.accountID, 'active');
      await read(account.authorization).expect(200);
    });

    it('can be revoked', async () => {
      const account = await gateway.makeAccount();
      const database = gateway.app.get(DataSource);
      await database.query('UPDATE api_keys SET revoked_at = now() WHERE account_id = $1', [account.accountID]);
      expect((await read(account.authorization).expect(401)).body.reason).toBe('key_revoked');
    });
  });

  describe('a rotation', () => {
    it('ends the old key at once without an overlap', async () => {
      const account = await gateway.makeAccount();
      const { apiKey } = await keys().rotate({ accountID: account.accountID, subUserID: null }, 'sandbox', 0);
      expect((await read(account.authorization).expect(401)).body.reason).toBe('key_expired');
      await read(`Bearer ${account.apiUserName}:${apiKey}`).expect(200);
    });

    it('keeps the old key valid for the overlap', async () => {
      const account = await gateway.makeAccount();
      const { apiKey } = await keys().rotate({ accountID: account.accountID, subUserID: null }, 'sandbox', 72);
      await read(account.authorization).expect(200);
      await read(`Bearer ${account.apiUserName}:${apiKey}`).expect(200);
    });

    it('without an overlap ends keys of earlier overlaps too', async () => {
      const account = await gateway.makeAccount();
      await keys().rotate({ accountID: account.accountID, subUserID: null }, 'sandbox', 72);
      await keys().rotate({ accountID: account.accountID, subUserID: null }, 'sandbox', 0);
      await read(account.authorization).expect(401);
    });

    it('ends the old key after the overlap, but not the new key', async () => {
      const account = await gateway.makeAccount();
      const { apiKey } = await keys().rotate({ accountID: account.accountID, subUserID: null }, 'sandbox', 1);
      const over = `UPDATE api_keys SET expires_at = expires_at - interval '1 hour' WHERE account_id = $1`;
      await gateway.app.get(DataSource).query(over, [account.accountID]);
      const { body } = await read(account.authorization).expect(401);
      expect(body).toMatchObject({ code: 'UNAUTHORIZED', reason: 'key_expired' });
      await read(`Bearer ${account.apiUserName}:${apiKey}`).expect(200);
    });

    it('never extends the validity of an old key', async () => {
      const account = await gateway.makeAccount();
      await keys().rotate({ accountID: account.accountID, subUserID: null }, 'sandbox', 0);
      await keys().rotate({ accountID: account.accountID, subUserID: null }, 'sandbox', 72);
      await read(account.authorization).expect(401);
    });

    it('does not change keys of the other type', async () => {
      const account = await gateway.makeAccount('production');
      await keys().rotate({ accountID: account.accountID, subUserID: null }, 'sandbox', 0);
      await read(account.authorization).expect(200);
    });
  });

  describe('a production key', () => {
    it('is accepted from a server', async () => {
      await read((await gateway.makeAccount('production')).authorization).expect(200);
    });

    it('is accepted from a browser on a registered HTTPS domain, and the browser may read the answer', async () => {
      const account = await gateway.makeAccount('production');
      await register(account, 'app.example.com');
      const { headers } = await read(account.authorization, { Origin: 'https://app.example.com' }).expect(200);
      expect(headers['access-control-allow-origin']).toBe('https://app.example.com');
      expect(headers['vary']).toContain('Origin');
    });

    it.each([
      'https://app.example.com:8443',
      'https://APP.Example.com',
      'https://app.example.com.',
      'https://xn--bcher-kva.example',
      'https://eu.shop.example',
      'https://a.b.shop.example',
    ])('is accepted from the registered origin %s', async origin => {
      const account = await gateway.makeAccount('production');
      for (const domain of ['app.example.com', 'xn--bcher-kva.example', '*.shop.example'])
        await register(account, domain);
      await read(account.authorization, { Origin: origin }).expect(200);
    });

    it.each([
      'http://app.example.com',
      'https://evil.example',
      'null',
      'https://off.example.com',
      'https://x.app.example.com',
      'https://example.com',
      'https://app.example.com.evil.example',
      'https://app.example.com, https://evil.example',
    ])('is refused from %s', async origin => {
      const account = await gateway.makeAccount('production');
      await register(account, 'app.example.com');
      await register(account, 'off.example.com', false);
      const { body, headers } = await read(account.authorization, { Origin: origin }).expect(403);
      expect(body).toMatchObject({ success: false, code: 'FORBIDDEN', reason: 'origin_not_allowed' });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    });

    it('is refused from a domain of another account', async () => {
      const [account, other] = [await gateway.makeAccount('production'), await gateway.makeAccount('production')];
      await register(other, 'app.example.com');
      await read(account.authorization, { Origin: 'https://app.example.com' }).expect(403);
    });

    const join = (account: TestAccount, headers: Record<string, string>) =>
      gateway.http
        .post('/v1/rooms')
        .set({ Authorization: account.authorization, ...headers })
        .send({ action: 'create', userName: 'Ada' });

    it('creates rooms through a registered proxy', async () => {
      const account = await gateway.makeAccount('production');
      await register(account, 'app.example.com');
      await join(account, { 'X-Forwarded-Host': 'app.example.com', 'X-Forwarded-Proto': 'https' }).expect(201);
      await join(account, { Forwarded: 'for=192.0.2.1;host=app.example.com;proto=https' }).expect(201);
      await join(account, { 'X-Forwarded-Host': 'gateway.test' }).expect(201);
    });

    it.each<Record<string, string>>([
      { 'X-Forwarded-Host': 'other.example' },
      { 'X-Forwarded-Host': 'app.example.com, other.example' },
      { 'X-Forwarded-Host': 'app.example.com', 'X-Forwarded-Proto': 'http' },
      { Forwarded: 'host=other.example' },
      { 'X-Forwarded-Host': 'other.example', Origin: 'https://app.example.com' },
    ])('creates no room through an unregistered or plain HTTP proxy: %j', async headers => {
      const account = await gateway.makeAccount('production');
      await register(account, 'app.example.com');
      const answer = await join(account, headers).expect(403);
      expect(answer.body).toMatchObject({ code: 'FORBIDDEN', reason: 'origin_not_allowed' });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    });

    it('needs a registered proxy only to create and join rooms', async () => {
      await read((await gateway.makeAccount('production')).authorization, { 'X-Forwarded-Host': 'x.example' }).expect(
        200,
      );
    });

    it('is accepted from a page that another domain embeds', async () => {
      const account = await gateway.makeAccount('production');
      await register(account, 'app.example.com');
      const headers = { Origin: 'https://app.example.com', Referer: 'https://partner.example/page' };
      await join(account, headers).expect(201);
      await join(account, { Referer: 'https://partner.example/page' }).expect(201);
    });

    it('creates production rooms', async () => {
      const { authorization } = await gateway.makeAccount('production');
      const body = { action: 'create', userName: 'Ada' };
      const response = await gateway.http.post('/v1/rooms').set('Authorization', authorization).send(body).expect(201);
      expect(response.body.room.keyType).toBe('production');
    });
  });

  describe('a sandbox key', () => {
    it.each(['https://anywhere.example', 'http://localhost:3000', 'null'])('is accepted from %s', async origin => {
      const { authorization } = await gateway.makeAccount();
      const { headers } = await read(authorization, { Origin: origin }).expect(200);
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    });
  });

  describe('a preflight', () => {
    it('is allowed for every origin, because it has no key', async () => {
      const { headers } = await gateway.http
        .options('/v1/rooms')
        .set({ Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' })
        .expect(204);
      expect(headers['access-control-allow-origin']).toBe('https://a.example');
      expect(headers['access-control-allow-methods']).toContain('POST');
      expect(headers['access-control-allow-headers']).toMatch(/Authorization.*Content-Type/);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    });

    it('is allowed for an opaque origin too', async () => {
      const { headers } = await gateway.http.options('/v1/domains').set('Origin', 'null').expect(204);
      expect(headers['access-control-allow-origin']).toBe('null');
    });

    it('does not allow the administration', async () => {
      const { headers } = await gateway.http.options('/admin/v1/accounts').set('Origin', 'https://a.example');
      expect(headers['access-control-allow-origin']).toBeUndefined();
    });
  });

  it('sends Vary: Origin with every answer', async () => {
    const account = await gateway.makeAccount();
    const answers = [
      await read(account.authorization),
      await read(account.authorization, { Origin: 'https://a.example' }),
      await read(),
      await gateway.http.get('/v1/rooms?meetingID=%00'),
      await gateway.http.get('/v1/unknown').set('Authorization', account.authorization),
      await gateway.http.put('/v1/rooms').set('Authorization', account.authorization),
      await gateway.http.post('/v1/rooms').set('Authorization', account.authorization).send({ action: 'x' }),
      await gateway.http.options('/v1/rooms').set('Origin', 'null'),
      await gateway.http.get('/unknown'),
      await gateway.http.get('/healthz'),
      await gateway.http.get('/admin/v1/accounts'),
    ];
    expect(answers.map(answer => [answer.status, answer.headers['vary']])).toEqual(
      answers.map(answer => [answer.status, expect.stringContaining('Origin')]),
    );
  });

  it('lets a page read the refusal of its credential', async () => {
    const { headers } = await read('Bearer wrong', { Origin: 'https://a.example' }).expect(401);
    expect(headers['access-control-allow-origin']).toBe('https://a.example');
  });
});
