import { jest } from '@jest/globals';
import { EventLog, ManualClock, waitFor } from '@rtms/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { poolsOf } from '../database/connection-pools.js';
import { GuessWaits } from '../rate-limits/guess-waits.store.js';
import type { TestAccount, TestGateway } from '../testing/start-test-gateway.js';
import { TestReplicas } from '../testing/test-replicas.js';

const secureCode = 'open sesame';

describe('guesses of a secure code', () => {
  let clock: ManualClock;
  let replicas: TestReplicas;
  let gateway: TestGateway;
  let replica: TestGateway;
  let server: TestAccount;
  let page: TestAccount;
  let meetingID: string;

  beforeAll(async () => {
    clock = new ManualClock(Date.now());
    // Nothing but the requests happens while the time goes on.
    const rare = { sweepSeconds: 3_600, reconcileSeconds: 3_600, meteringSeconds: 3_600, graceSeconds: 3_600 };
    replicas = await TestReplicas.start({ clock, config: { trustedProxies: ['loopback'], ...rare } });
    ({ gateway, replica } = replicas);
  });
  beforeEach(async () => {
    server = await gateway.makeAccount();
    const key = { action: 'create', name: 'Page', type: 'sandbox', operations: ['joinRoom'] };
    const { apiKey } = (await post('/v1/disposable-keys', key).expect(201)).body.disposableKey;
    page = { ...server, authorization: `Bearer ${server.apiUserName}:${apiKey}` };
    await query('DELETE FROM wrong_guesses');
    const room = { action: 'create', userName: 'Ann', secureCode, capacity: 1_000, duration: 1_440 };
    meetingID = (await post('/v1/rooms', room).expect(201)).body.room.meetingID;
  });
  afterAll(() => replicas?.close());

  const post = (path: string, body: object) =>
    gateway.http.post(path).set('Authorization', server.authorization).send(body);
  interface Joining {
    from?: string;
    by?: TestAccount;
    at?: TestGateway;
  }
  const join = (code: string | undefined, { from = '192.0.2.1', by = page, at = gateway }: Joining = {}) =>
    at.http
      .post('/v1/rooms')
      .set({ Authorization: by.authorization, 'X-Forwarded-For': from })
      .send({ action: 'join', meetingID, userName: 'Eve', ...(code !== undefined && { secureCode: code }) });
  const wrong = async (times: number, joining: Joining = {}) => {
    for (let time = 0; time < times; time += 1) {
      expect((await join('guess', joining).expect(403)).body.reason).toBe('wrong_secure_code');
    }
  };
  const retryAfter = async (code: string, joining: Joining = {}): Promise<number> => {
    const { body, headers } = await join(code, joining).expect(429);
    expect(body).toMatchObject({ code: 'RATE_LIMITED', reason: 'rate_limited' });
    expect(body.error).toContain(`Try again in ${headers['retry-after']} s.`);
    return Number(headers['retry-after']);
  };
  const query = (statement: string, parameters: unknown[] = []) =>
    gateway.app.get(DataSource).query(statement, parameters);
  /** As if so many had guessed wrong from many addresses. Two of them have: the row of all counts the most. */
  const guessedByAll = async (count: number, waitMs: number) => {
    await wrong(1);
    await wrong(1, { from: '192.0.2.2' });
    const ofAll = 'WHERE count = (SELECT max(count) FROM wrong_guesses)';
    const waitsUntil = new Date(clock.now() + waitMs);
    await query(`UPDATE wrong_guesses SET count = $1, waits_until = $2 ${ofAll}`, [count, waitsUntil]);
  };

  it('wait twice as long each time after five wrong ones, the right one too', async () => {
    await wrong(5);
    for (const seconds of [1, 2, 4, 8]) {
      expect(await retryAfter('guess')).toBe(seconds);
      await clock.advance(seconds * 1_000 - 1);
      expect(await retryAfter(secureCode)).toBe(1);
      await clock.advance(1);
      await wrong(1);
    }
    expect(await retryAfter(secureCode)).toBe(16);
    await clock.advance(16_000);
    await join(secureCode).expect(201);
  });

  it('wait no longer than 15 minutes behind a page’s key, and 30 s behind a server’s', async () => {
    for (const [by, longest] of [
      [page, 900],
      [server, 30],
    ] as const) {
      await wrong(1, { by });
      // As if the waits of 19 more were over.
      await query('UPDATE wrong_guesses SET count = 20 WHERE count < 20');
      await wrong(1, { by });
      expect(await retryAfter(secureCode, { by })).toBe(longest);
      await clock.advance(longest * 1_000);
      await join(secureCode, { by }).expect(201);
    }
  });

  it('that come while they must wait make the wait no longer', async () => {
    await wrong(5);
    for (let guess = 0; guess < 20; guess += 1) await join('guess').expect(429);
    await clock.advance(1_000);
    await join(secureCode).expect(201);
  });

  it('of one address hold up no other address, and no other room', async () => {
    await wrong(5);
    await join(secureCode).expect(429);
    await join(secureCode, { from: '192.0.2.2' }).expect(201);
    const room = { action: 'create', userName: 'Ann', secureCode };
    meetingID = (await post('/v1/rooms', room).expect(201)).body.room.meetingID;
    await join(secureCode).expect(201);
  });

  it('of many addresses hold up those that guessed wrong before, and nobody else', async () => {
    await guessedByAll(500, 30_000);
    expect(await retryAfter(secureCode)).toBe(30);
    await join(secureCode, { from: '192.0.2.3' }).expect(201);
    await clock.advance(29_999);
    expect(await retryAfter(secureCode)).toBe(1);
    await clock.advance(1);
    await join(secureCode).expect(201);
  });

  it('of a thousand addresses hold everybody up, for 30 s at most', async () => {
    await guessedByAll(1_000, 0);
    await wrong(1);
    expect(await retryAfter(secureCode, { from: '192.0.2.4' })).toBe(30);
    await clock.advance(30_000);
    await join(secureCode, { from: '192.0.2.4' }).expect(201);
  });

  it('are counted together by two gateways, also at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => join(`guess ${n}`, { at: n % 2 === 0 ? gateway : replica })),
    );
    const statuses = answers.map(({ status }) => status);
    expect([403, 429].map(status => statuses.filter(each => each === status).length)).toEqual([5, 25]);
    await join(secureCode, { at: replica }).expect(429);
  });

  it('are forgotten an hour after the last one', async () => {
    await wrong(5);
    await query(`UPDATE wrong_guesses SET last_at = last_at - interval '1 hour', waits_until = last_at`);
    await wrong(5);
    expect(await retryAfter('guess')).toBe(1);
  });

  describe('of very many addresses at the same time', () => {
    const addresses = (count: number) => Array.from({ length: count }, (_, n) => `198.51.100.${n + 1}`);
    let holder: pg.Client;
    let former: number | undefined;

    beforeEach(async () => {
      holder = new pg.Client({ connectionString: gateway.ownerUrl });
      await holder.connect();
      const { options } = poolsOf(gateway.app.get(DataSource)).requests;
      former = options.max;
      options.max = 3;
      await wrong(1);
      // As a counting that takes its time: the row of all addresses is locked.
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM wrong_guesses FOR UPDATE');
    });
    afterEach(async () => {
      await holder.end();
      poolsOf(gateway.app.get(DataSource)).requests.options.max = former ?? 16;
    });

    it('leave connections to the requests of other accounts', async () => {
      const other = await gateway.makeAccount();
      const asked = jest.spyOn(GuessWaits.prototype, 'admit');
      const guesses = addresses(50).map(from => join('guess', { from }).then(({ status }) => status));
      const { requests } = poolsOf(gateway.app.get(DataSource));
      // All guesses came as far as they come, and one of them has a connection.
      await waitFor(
        () =>
          asked.mock.calls.length >= guesses.length &&
          requests.waitingCount < 1 &&
          requests.totalCount - requests.idleCount < 2,
      );
      asked.mockRestore();
      await gateway.http.get('/v1/rooms').set('Authorization', other.authorization).expect(200);
      await holder.query('COMMIT');
      expect(new Set(await Promise.all(guesses))).toEqual(new Set([403]));
    });

    it('are refused when a hundred wait to be counted', async () => {
      const refused = new EventLog<string | undefined>();
      const guesses = addresses(150).map(async from => {
        const { status, body, headers } = await join('guess', { from });
        if (status === 429) refused.add(`${body.reason} ${headers['retry-after']}`);
        return status;
      });
      await refused.atLeast(50);
      await holder.query('COMMIT');
      const statuses = await Promise.all(guesses);
      expect([403, 429].map(status => statuses.filter(each => each === status).length)).toEqual([100, 50]);
      expect(new Set(refused.all)).toEqual(new Set(['too_many_waiting 1']));
      await join(secureCode, { from: '203.0.113.1' }).expect(201);
    });
  });

  it('are no guesses without a code', async () => {
    for (let time = 0; time < 10; time += 1) await join(undefined).expect(403);
    await join(secureCode).expect(201);
  });
});
