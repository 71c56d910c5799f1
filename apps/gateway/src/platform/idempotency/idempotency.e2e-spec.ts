import { INTERCEPTORS_METADATA } from '@nestjs/common/constants.js';
import { ServiceError } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { collectRoutes } from '../http/route-table.js';
import { testAdminToken, type TestAccount, type TestGateway, TestReplicas } from '../../testing/start-test-gateway.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotentRequestsRepository } from './idempotent-requests.repository.js';

describe('Idempotency-Key', () => {
  let replicas: TestReplicas;
  let gateway: TestGateway;
  let replica: TestGateway;
  let account: TestAccount;
  let database: DataSource;

  beforeAll(async () => {
    replicas = await TestReplicas.start();
    ({ gateway, replica } = replicas);
    database = gateway.app.get(DataSource);
  });
  beforeEach(async () => {
    account = await gateway.makeAccount();
  });
  afterAll(() => replicas?.close());

  const send = (key: string, body: object, { at = gateway, as = account, path = '/v1/rooms' } = {}) =>
    at.http.post(path).set('Authorization', as.authorization).set('Idempotency-Key', key).send(body);
  const create = (key: string, fields: object = {}, options = {}) =>
    send(key, { action: 'create', userName: 'Ann', ...fields }, options);
  const countRooms = async (of = account): Promise<number> => {
    const { body } = await gateway.http.get('/v1/rooms').set('Authorization', of.authorization).expect(200);
    return body.total;
  };
  const age = (seconds: number) =>
    database.query(
      `UPDATE idempotent_requests SET created_at = now() - make_interval(secs => $2) WHERE account_id = $1`,
      [account.accountID, seconds],
    );

  it('is accepted by every POST of the API', () => {
    const posts = collectRoutes(gateway.app).filter(
      ({ method, path }) => method === 'POST' && !path.startsWith('/dashboard/'),
    );
    const without = posts.filter(({ handler }) => {
      const interceptors = (Reflect.getMetadata(INTERCEPTORS_METADATA, handler) ?? []) as unknown[];
      return !interceptors.includes(IdempotencyInterceptor);
    });
    expect(posts.length).toBeGreaterThan(20);
    expect(without.map(({ path }) => path)).toEqual([]);
  });

  it('answers a repeat with the first answer', async () => {
    const first = await create('one').expect(201);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    const repeat = await create('one').expect(201);
    expect(repeat.headers['idempotent-replayed']).toBe('true');
    expect(repeat.body).toEqual(first.body);
    expect(await countRooms()).toBe(1);
  });

  it('answers a repeat on every replica, with the fields in any order', async () => {
    const first = await create('two', { duration: 5, capacity: 7 }).expect(201);
    const repeat = await create('two', { capacity: 7, duration: 5 }, { at: replica }).expect(201);
    expect(repeat.body).toEqual(first.body);
  });

  it('creates one room from 50 requests at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => create('fifty', {}, { at: index % 2 ? gateway : replica })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.room.meetingID)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(49);
    expect(await countRooms()).toBe(1);
  });

  it.each([
    ['another field', { action: 'create', userName: 'Ann', capacity: 3 }],
    ['another value', { action: 'create', userName: 'Bob' }],
    ['another action', { action: 'end', meetingID: 'room_x' }],
  ])('is refused with %s', async (_, body) => {
    await create('reused').expect(201);
    const { body: failure } = await send('reused', body).expect(409);
    expect(failure).toMatchObject({ success: false, code: 'CONFLICT', reason: 'idempotency_key_reused' });
    expect(await countRooms()).toBe(1);
  });

  it('belongs to one account and one path', async () => {
    const other = await gateway.makeAccount();
    const mine = await create('shared').expect(201);
    const theirs = await create('shared', {}, { as: other }).expect(201);
    expect(theirs.body.room.meetingID).not.toBe(mine.body.room.meetingID);
    const path = `/v1/meetings/${mine.body.room.meetingID}/playbacks`;
    const { body } = await send('shared', {}, { path }).expect(400);
    expect(body.reason).toBe('invalid_request');
  });

  it('keeps refusals too', async () => {
    await create('first', { roomName: 'Studio' }).expect(201);
    const refused = await create('second', { roomName: 'Studio' }).expect(409);
    const repeat = await create('second', { roomName: 'Studio' }).expect(409);
    expect(repeat.body).toEqual(refused.body);
    expect(repeat.headers['idempotent-replayed']).toBe('true');
  });

  it('does not keep an answer that asks for a retry', async () => {
    const { body } = await create('room').expect(201);
    const path = `/v1/meetings/${body.room.meetingID}/external-sessions`;
    const session = { displayName: 'Camera', ingest: { protocol: 'whip', tracks: ['video'] } };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { headers } = await send('later', session, { path }).expect(503);
      expect(headers['idempotent-replayed']).toBeUndefined();
    }
  });

  it('repeats the work after a day and forgets older keys', async () => {
    const first = await create('daily').expect(201);
    // A minute less than a day, and a second more.
    await age(86_340);
    expect((await create('daily').expect(201)).body).toEqual(first.body);
    await age(86_401);
    expect((await create('daily').expect(201)).body.room.meetingID).not.toBe(first.body.room.meetingID);
    await age(86_401);
    await gateway.app.get(IdempotentRequestsRepository, { strict: false }).sweep();
    const left = await database.query('SELECT 1 FROM idempotent_requests WHERE account_id = $1', [account.accountID]);
    expect(left).toEqual([]);
  });

  it('does not repeat the work of an interrupted request', async () => {
    await create('crashed').expect(201);
    await database.query('UPDATE idempotent_requests SET sealed_answer = NULL WHERE account_id = $1', [
      account.accountID,
    ]);
    await age(61);
    const { body } = await create('crashed').expect(409);
    expect(body.reason).toBe('idempotency_outcome_unknown');
    expect(await countRooms()).toBe(1);
  });

  it('does not repeat work after an unexpected failure, but after a postponed one', async () => {
    const service = gateway.app.get(IdempotencyService, { strict: false });
    let runs = 0;
    const failing = (error: Error) => async () => {
      runs += 1;
      throw error;
    };
    const identity = (key: string) => ({ accountID: account.accountID, credential: 'x', key, path: '/v1/x' });
    const putOff = failing(new ServiceError('controller_unavailable', 'Later.'));
    await expect(service.once(identity('a'), '{}', putOff)).rejects.toMatchObject({ reason: 'controller_unavailable' });
    await expect(service.once(identity('a'), '{}', putOff)).rejects.toMatchObject({ reason: 'controller_unavailable' });
    expect(runs).toBe(2);
    await expect(service.once(identity('b'), '{}', failing(new Error('oops')))).rejects.toThrow('oops');
    await age(61);
    await expect(service.once(identity('b'), '{}', failing(new Error('oops')))).rejects.toMatchObject({
      reason: 'idempotency_outcome_unknown',
    });
    expect(runs).toBe(3);
  });

  it('stores no readable token', async () => {
    // Longer than what encrypted bytes and random identifiers may spell by chance.
    const userName = 'Ann of the readable name';
    const { body } = await create('secret', { userName }).expect(201);
    const [row] = await database.query('SELECT * FROM idempotent_requests WHERE account_id = $1', [account.accountID]);
    const stored = Object.values(row as object).map(value =>
      Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
    );
    for (const part of [body.join.token, body.room.meetingID, userName, 'secret'])
      expect(stored.join()).not.toContain(part);
  });

  it.each(['', 'x'.repeat(256), 'tab\there', 'café'])('is refused when it is %j', async key => {
    const { body } = await create(key).expect(400);
    expect(body).toMatchObject({ code: 'BAD_REQUEST', reason: 'invalid_request' });
  });

  it('is accepted by the administration', async () => {
    const make = () =>
      gateway.http
        .post('/admin/v1/accounts')
        .set('Authorization', `Bearer ${testAdminToken}`)
        .set('Idempotency-Key', account.accountID)
        .send({ name: 'Studio' })
        .expect(201);
    expect((await make()).body).toEqual((await make()).body);
  });
});
