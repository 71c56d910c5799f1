import { waitFor } from '@rtms/testing';
import pg from 'pg';
import type { Response } from 'supertest';
import { DisposableKeyUsage } from '../disposable-keys/disposable-key.entity.js';
import { DisposableKeysRepository } from '../disposable-keys/disposable-keys.repository.js';
import { KeyUsageService } from '../disposable-keys/key-usage.service.js';
import { credential, TestKeys, type Issued } from '../disposable-keys/testing/test-keys.js';
import type { Caller } from '../../platform/auth/caller.js';
import { DataSource } from 'typeorm';

/**
 * Each test locks a row that two changes need, starts one change after the other and releases the row when both wait. The two changes
 * thus meet in the order in which they could deadlock.
 */
describe('concurrent changes of keys', () => {
  let keys: TestKeys;
  let holder: pg.Client;

  beforeAll(async () => {
    keys = await TestKeys.open();
    holder = new pg.Client({ connectionString: keys.gateway.ownerUrl });
    await holder.connect();
  });
  beforeEach(() => keys.renewOwner());
  afterAll(async () => {
    await holder?.end();
    await keys?.close();
  });

  /** Connections that wait for a lock. No other test uses the database. */
  const waiting = async (): Promise<number> => {
    const [row] = (await keys.query(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
    )) as { waiting: number }[];
    return row?.waiting ?? 0;
  };
  /** Starts each change as soon as the former change waits for the locked rows. */
  const whileHeld = async <Result>(
    [statement, ...parameters]: [string, ...unknown[]],
    changes: readonly (() => Promise<Result>)[],
  ): Promise<Result[]> => {
    await holder.query('BEGIN');
    const running: Promise<Result>[] = [];
    try {
      await holder.query(statement, parameters);
      for (const change of changes) {
        running.push(change());
        await waitFor(async () => (await waiting()) >= running.length);
      }
    } finally {
      await holder.query('COMMIT');
    }
    return Promise.all(running);
  };
  // A key with a use at this time has no new use to store, which would wait for the locked row.
  const post = async (path: string, body: object, authorization = keys.owner.authorization): Promise<Response> =>
    keys.gateway.http.post(path).set('Authorization', authorization).send(body);
  const outcomes = (answers: readonly Response[]) =>
    answers.map(({ status, body }) => [status, body.reason as unknown]);
  const makeSubUser = async () => {
    const fields = { name: 'G', email: `g-${(keys.made += 1)}@example.com`, permissions: ['manageKeys', 'readRooms'] };
    const { body } = await post('/v1/subusers', { action: 'create', ...fields });
    const { subUserID, apiUserName, apiKeys } = body.subUser;
    return { subUserID: subUserID as string, authorization: `Bearer ${apiUserName}:${apiKeys.sandbox}` };
  };
  const deleteSubUser = (subUserID: string) => () => post('/v1/subusers', { action: 'delete', subUserID });
  const idsOf = (subUserID: string) =>
    keys.query('SELECT id FROM api_keys WHERE sub_user_id = $1', subUserID) as Promise<{ id: string }[]>;

  it('prolong an expired key while the key creates another key', async () => {
    const maker = await keys.create({ operations: ['manageKeys', 'readRooms'], validityDays: 2 });
    await keys.rooms(maker).expect(200);
    const create = () => post('/v1/disposable-keys', keys.fields({ validityDays: 1 }), credential(maker));
    const prolong = async () => {
      await keys.query('UPDATE disposable_keys SET expires_at = $2 WHERE id = $1', maker.keyID, keys.date(-1));
      return post('/v1/disposable-keys', { action: 'update', keyID: maker.keyID, validityDays: 3 });
    };
    const account: [string, string] = ['SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', keys.owner.accountID];
    expect(outcomes(await whileHeld(account, [create, prolong]))).toEqual([
      [201, undefined],
      [200, undefined],
    ]);
  });

  it('rotate the key of a sub-user that is deleted', async () => {
    const { subUserID } = await makeSubUser();
    const rotate = () => post('/v1/subusers', { action: 'rotateKey', subUserID, type: 'sandbox' });
    const key: [string, string] = ['SELECT 1 FROM api_keys WHERE sub_user_id = $1 FOR UPDATE', subUserID];
    expect(outcomes(await whileHeld(key, [rotate, deleteSubUser(subUserID)]))).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    expect(await idsOf(subUserID)).toEqual([]);
  });

  it.each(['disableKey', 'deleteKey'])('%s of a sub-user that is deleted', async action => {
    const { subUserID } = await makeSubUser();
    const [{ id: keyID } = { id: '' }] = await idsOf(subUserID);
    const change = () => post('/v1/subusers', { action, subUserID, keyID });
    const key: [string, string] = ['SELECT 1 FROM api_keys WHERE sub_user_id = $1 FOR UPDATE', subUserID];
    expect(outcomes(await whileHeld(key, [change, deleteSubUser(subUserID)]))).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    expect((await post('/v1/subusers', { action, subUserID, keyID })).status).toBe(404);
  });

  it('create a key with a disposable key whose sub-user is deleted', async () => {
    const { subUserID, authorization } = await makeSubUser();
    const maker = await keys.create({ operations: ['manageKeys', 'readRooms'] }, authorization);
    await keys.rooms(maker).expect(200);
    const create = () => post('/v1/disposable-keys', keys.fields(), credential(maker));
    const key: [string, string] = ['SELECT 1 FROM disposable_keys WHERE id = $1 FOR UPDATE', maker.keyID];
    const [created, deleted] = await whileHeld(key, [create, deleteSubUser(subUserID)]);
    expect(outcomes([created!, deleted!])).toEqual([
      [201, undefined],
      [200, undefined],
    ]);
    await keys.rooms(created?.body.disposableKey as Issued).expect(401);
  });

  it('revoke keys whose uses are stored', async () => {
    const maker = await keys.create({ operations: ['manageKeys', 'readRooms'] });
    const made: Issued[] = [];
    for (let key = 0; key < 8; key += 1) made.push(await keys.create({}, credential(maker)));
    const usage = new KeyUsageService(
      keys.gateway.app.get(DataSource).getRepository(DisposableKeyUsage),
      keys.gateway.app.get(DisposableKeysRepository, { strict: false }),
      keys.clock,
    );
    // In the order of their creation, which is not the order of their names.
    for (const { keyID } of [...made].reverse()) {
      await usage.note({ keyKind: 'disposable', keyID, lastUsedAt: keys.date(0) } as Caller, 'readRooms');
    }
    const revoke = async () => [(await post('/v1/disposable-keys', { action: 'delete', keyID: maker.keyID })).status];
    const write = async () => {
      await usage.onModuleDestroy();
      return keys.query(
        'SELECT request_count FROM disposable_key_usage WHERE key_id = ANY($1)',
        made.map(({ keyID }) => keyID),
      ) as Promise<unknown[]>;
    };
    const middle = made.map(({ keyID }) => keyID).sort()[4];
    const key: [string, unknown] = ['SELECT 1 FROM disposable_keys WHERE id = $1 FOR UPDATE', middle];
    const [revoked, uses] = await whileHeld<unknown[]>(key, [revoke, write]);
    expect([revoked, uses?.length]).toEqual([[200], made.length]);
  });
});
