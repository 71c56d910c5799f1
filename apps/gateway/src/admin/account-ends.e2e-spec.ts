import { ManualClock, waitFor } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { AdvisoryLocksService } from '../platform/database/advisory-locks.service.js';
import { RecordingFilesService } from '../media/recordings/recording-files.service.js';
import { defaultRetention } from './retention/retention-periods.js';
import { RetentionService } from './retention/retention.service.js';
import { RoomEndingService } from '../rooms/ending/room-ending.service.js';
import { DashboardClient } from '../testing/dashboard-client.js';
import { startTestGateway, testAdminToken, type TestAccount, type TestGateway } from '../testing/start-test-gateway.js';

const dayMs = 86_400_000;

describe('an account and its main keys', () => {
  let gateway: TestGateway;
  let database: DataSource;
  let account: TestAccount;

  beforeAll(async () => {
    gateway = await startTestGateway();
    // Only one run at a time deletes rows: here only the run of the test.
    await gateway.app.get(RetentionService, { strict: false }).onApplicationShutdown();
    database = gateway.app.get(DataSource);
  });
  beforeEach(async () => {
    account = await gateway.makeAccount();
  });
  afterAll(() => gateway?.close());

  type Method = 'get' | 'post' | 'put' | 'delete';
  const admin = (method: Method, path: string, body?: object) => {
    const request = gateway.http[method](`/admin/v1/accounts/${account.accountID}${path}`);
    return request.set('Authorization', `Bearer ${testAdminToken}`).send(body);
  };
  const use = (by: Pick<TestAccount, 'authorization'> = account) =>
    gateway.http.get('/v1/rooms').set('Authorization', by.authorization);
  const createRoom = (by = account) =>
    gateway.http.post('/v1/rooms').set('Authorization', by.authorization).send({ action: 'create', userName: 'Ann' });
  interface Key {
    keyID: string;
    state: string;
    type: string;
    maskedKey: string;
  }
  const keys = async (): Promise<Key[]> => (await admin('get', '/keys').expect(200)).body.keys;
  const keyOf = async (type = 'sandbox') => (await keys()).find(each => each.type === type && each.state === 'active')!;
  const actions = async (): Promise<string[]> => {
    const { body } = await gateway.http
      .get(`/admin/v1/audit-log?accountID=${account.accountID}`)
      .set('Authorization', `Bearer ${testAdminToken}`)
      .expect(200);
    return body.entries.map(({ action, outcome }: { action: string; outcome: string }) => `${action} ${outcome}`);
  };
  /** A rotation leaves the former key valid for an hour. */
  const rotate = async (): Promise<TestAccount> => {
    const { body } = await admin('post', '/keys/rotate', { type: 'sandbox', overlapHours: 1 }).expect(201);
    return { ...account, authorization: `Bearer ${account.apiUserName}:${body.key.apiKey}` };
  };

  describe('a main key', () => {
    it('shows its first eight and last four characters', async () => {
      const { maskedKey } = await keyOf();
      expect(maskedKey).toBe(`${account.apiKey.slice(0, 8)}…${account.apiKey.slice(-4)}`);
    });

    it('is refused while it is disabled', async () => {
      const { keyID } = await keyOf();
      const current = await rotate();
      await use().expect(200);
      const { body } = await admin('post', `/keys/${keyID}/disable`).expect(200);
      expect(body.key).toMatchObject({ keyID, state: 'disabled' });
      expect((await use().expect(401)).body).toMatchObject({ code: 'UNAUTHORIZED', reason: 'key_disabled' });
      await use(current).expect(200);
      await admin('post', `/keys/${keyID}/disable`).expect(200);
      expect((await admin('post', `/keys/${keyID}/enable`).expect(200)).body.key.state).toBe('overlapping');
      await use().expect(200);
      expect(await actions()).toEqual([
        'POST /admin/v1/accounts/:accountID/keys/:keyID/enable succeeded',
        'POST /admin/v1/accounts/:accountID/keys/:keyID/disable succeeded',
        'POST /admin/v1/accounts/:accountID/keys/:keyID/disable succeeded',
        'POST /admin/v1/accounts/:accountID/keys/rotate succeeded',
      ]);
    });

    it('is refused for good after its deletion, and a new key can be created', async () => {
      const { keyID } = await keyOf();
      const { body } = await admin('delete', `/keys/${keyID}?force=true`).expect(200);
      expect(body.key).toMatchObject({ keyID, state: 'revoked' });
      expect((await use().expect(401)).body.reason).toBe('key_revoked');
      expect((await admin('delete', `/keys/${keyID}`).expect(200)).body).toEqual(body);
      expect((await admin('post', `/keys/${keyID}/enable`).expect(409)).body.reason).toBe('already_revoked');
      const { body: made } = await admin('post', '/keys', { type: 'sandbox' }).expect(201);
      await use({ authorization: `Bearer ${account.apiUserName}:${made.key.apiKey}` }).expect(200);
      expect(await actions()).toContain('DELETE /admin/v1/accounts/:accountID/keys/:keyID succeeded');
    });

    it('that is the last working key of its environment is changed only with force', async () => {
      const { keyID } = await keyOf();
      // Servers cannot use the key of the other environment instead.
      await gateway.makeKey(account, 'production');
      for (const refused of [admin('post', `/keys/${keyID}/disable`), admin('delete', `/keys/${keyID}?force=false`)]) {
        const { body } = await refused.expect(409);
        expect(body).toMatchObject({ code: 'CONFLICT', reason: 'last_key' });
        expect(body.error).toContain('last working sandbox key');
      }
      await use().expect(200);
      await admin('post', `/keys/${keyID}/disable`, { force: true }).expect(200);
      await use().expect(401);
      // Nobody uses a disabled key, so its deletion needs no force.
      await admin('delete', `/keys/${keyID}`).expect(200);
    });

    it('is not disabled together with the only other key by concurrent requests', async () => {
      await rotate();
      const both = await Promise.all((await keys()).map(({ keyID }) => admin('post', `/keys/${keyID}/disable`)));
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    });

    it('of another account or of a sub-user is not found', async () => {
      const { keyID } = await keyOf();
      const subUser = { action: 'create', name: 'Gil', email: 'gil@example.com', permissions: ['readRooms'] };
      await gateway.http.post('/v1/subusers').set('Authorization', account.authorization).send(subUser).expect(201);
      const [{ id: ofSubUser } = { id: '' }] = await database.query<{ id: string }[]>(
        'SELECT id FROM api_keys WHERE account_id = $1 AND sub_user_id IS NOT NULL',
        [account.accountID],
      );
      await admin('delete', `/keys/${ofSubUser}`).expect(404);
      account = await gateway.makeAccount();
      for (const path of [`/keys/${keyID}/disable`, `/keys/${keyID}/enable`]) await admin('post', path).expect(404);
      await admin('delete', `/keys/${keyID}?force=true`).expect(404);
    });

    it('can be disabled, enabled and deleted by its owner in the dashboard', async () => {
      const page = await DashboardClient.signedIn(gateway, account.accountID);
      const { keyID } = await keyOf();
      const path = `/dashboard/api/keys/${keyID}`;
      expect((await page.send('post', `${path}/disable`).expect(409)).body.reason).toBe('last_key');
      await page.send('post', `${path}/disable`, { force: true }).expect(200);
      await use().expect(401);
      await page.send('post', `${path}/enable`).expect(200);
      await use().expect(200);
      expect((await page.send('delete', path).expect(409)).body.reason).toBe('last_key');
      await page.send('delete', `${path}?force=true`).expect(200);
      expect((await use().expect(401)).body.reason).toBe('key_revoked');
      account = await gateway.makeAccount();
      await page.send('delete', `/dashboard/api/keys/${(await keyOf()).keyID}?force=true`).expect(404);
      await use().expect(200);
    });
  });

  describe('an account', () => {
    it('is renamed', async () => {
      const { body } = await admin('post', '/rename', { name: 'Radio Nord' }).expect(200);
      expect(body.account).toMatchObject({ name: 'Radio Nord', apiUserName: account.apiUserName, state: 'active' });
      expect((await admin('get', '').expect(200)).body).toEqual(body);
      await admin('post', '/rename', { name: ' ' }).expect(400);
      expect(await actions()).toEqual(['POST /admin/v1/accounts/:accountID/rename succeeded']);
    });

    it('that is deleted is refused everywhere, and its rooms end', async () => {
      const { meetingID } = (await createRoom().expect(201)).body.room;
      const key = { action: 'create', name: 'Kiosk', type: 'sandbox', operations: ['readRooms'] };
      const made = await gateway.http
        .post('/v1/disposable-keys')
        .set('Authorization', account.authorization)
        .send(key)
        .expect(201);
      const page = await DashboardClient.signedIn(gateway, account.accountID);
      const { body } = await admin('delete', '').expect(200);
      expect(body.account).toMatchObject({ state: 'deleted', deletedAt: expect.any(String) });
      const { apiKey, apiUserName } = made.body.disposableKey;
      for (const by of [account, { authorization: `Bearer ${apiUserName}:${apiKey}` }]) {
        expect((await use(by).expect(403)).body.reason).toBe('account_disabled');
      }
      expect((await page.get('/dashboard/api/keys').expect(403)).body.reason).toBe('account_disabled');
      const rooms = await database.query('SELECT state FROM rooms WHERE id = $1', [meetingID]);
      expect(rooms).toEqual([{ state: 'ended' }]);
      expect((await admin('delete', '').expect(200)).body).toEqual(body);
      expect(await actions()).toContain('DELETE /admin/v1/accounts/:accountID succeeded');
    });

    it('that is deleted gets no new key and cannot be enabled before it is restored', async () => {
      await admin('delete', '').expect(200);
      for (const [path, body] of [
        ['/enable', {}],
        ['/keys', { type: 'production' }],
        ['/keys/rotate', { type: 'sandbox' }],
      ] as const) {
        expect((await admin('post', path, body).expect(409)).body.reason).toBe('already_deleted');
      }
      const { body } = await admin('post', '/restore').expect(200);
      expect(body.account).toMatchObject({ state: 'disabled', deletedAt: null });
      await use().expect(403);
      await admin('post', '/enable').expect(200);
      await use().expect(200);
    });

    it('that is unknown is not found', async () => {
      account = { ...account, accountID: 'acct_nobody' };
      await admin('delete', '').expect(404);
      await admin('post', '/rename', { name: 'A' }).expect(404);
      await admin('post', '/restore').expect(404);
    });

    it('ends the rooms that an interrupted gateway left active', async () => {
      const { meetingID } = (await createRoom().expect(201)).body.room;
      // The state after a crash between the two steps of a deletion.
      await database.query(`UPDATE accounts SET state = 'disabled' WHERE id = $1`, [account.accountID]);
      await gateway.app.get(RoomEndingService, { strict: false }).sweep(new Date());
      expect(await database.query('SELECT state FROM rooms WHERE id = $1', [meetingID])).toEqual([{ state: 'ended' }]);
    });
  });

  describe('the data of a deleted account', () => {
    const run = (atMs: number) =>
      new RetentionService(
        database,
        gateway.app.get(AdvisoryLocksService),
        { retention: defaultRetention },
        new ManualClock(atMs),
      ).run();
    const countIn = async (table: string, column = 'account_id') => {
      const statement = `SELECT count(*)::int AS rows FROM ${table} WHERE ${column} = $1`;
      const [row] = await database.query<{ rows: number }[]>(statement, [account.accountID]);
      return row?.rows;
    };

    it('is deleted after 30 days, without the data of other accounts', async () => {
      const { meetingID } = (await createRoom().expect(201)).body.room;
      const other = await gateway.makeAccount();
      await createRoom(other).expect(201);
      await gateway.http
        .post('/v1/domains')
        .set('Authorization', account.authorization)
        .send({ action: 'create', domain: 'app.example.com' })
        .expect(201);
      await database.query(
        `INSERT INTO recordings (id, account_id, meeting_id, state, storage, node_id) VALUES ($1, $2, $3, 'ready', 'node', 'transcoder-1')`,
        [`rec_${meetingID}`, account.accountID, meetingID],
      );
      const { body } = await admin('delete', '').expect(200);
      const deletedAt = Date.parse(body.account.deletedAt);
      await run(deletedAt + 30 * dayMs);
      expect(await countIn('rooms')).toBe(1);
      await admin('get', '').expect(200);
      await run(deletedAt + 30 * dayMs + 1);
      // The room stays until the file of its recording is deleted.
      expect(await countIn('rooms')).toBe(1);
      await gateway.app.get(RecordingFilesService, { strict: false }).expire(new Date());
      const queued = 'SELECT recording_id FROM recording_files_to_delete WHERE recording_id = $1';
      expect(await database.query(queued, [`rec_${meetingID}`])).toHaveLength(1);
      // The account stays for the next run if one of its last events is stored during this one.
      const isGone = async () => {
        await run(deletedAt + 30 * dayMs + 1);
        return (await countIn('accounts', 'id')) === 0;
      };
      await waitFor(isGone, { what: 'the deletion of the account' });
      for (const table of ['rooms', 'recordings', 'domains', 'api_keys', 'balances']) {
        expect([table, await countIn(table)]).toEqual([table, 0]);
      }
      await admin('get', '').expect(404);
      expect((await use().expect(401)).body.reason).toBe('invalid_credentials');
      // The audit log keeps its entries about the account.
      expect(await actions()).toContain('DELETE /admin/v1/accounts/:accountID succeeded');
      account = other;
      expect(await countIn('rooms')).toBe(1);
      await use().expect(200);
    });
  });
});
