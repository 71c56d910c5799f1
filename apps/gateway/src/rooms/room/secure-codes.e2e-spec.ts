/** @seconds 10 */
import { jest } from '@jest/globals';
import { EventLog, ManualClock, waitFor } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { poolsOf } from '../../platform/database/connection-pools.js';
import { GuessWaitsRepository } from '../../platform/limits/guess-waits.repository.js';
import { type TestAccount, type TestGateway, TestReplicas } from '../../testing/start-test-gateway.js';

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
    // No background work runs while time moves.
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
  /** Raises the count of wrong guesses of all addresses. Two addresses have guessed wrong. */
  const guessedByAll = async (count: number, waitMs: number) => {
    await wrong(1);
    await wrong(1, { from: '192.0.2.2' });
    const ofAll = 'WHERE count = (SELECT max(count) FROM wrong_guesses)';
    const waitsUntil = new Date(clock.now() + waitMs);
    await query(`UPDATE wrong_guesses SET count = $1, waits_until = $2 ${ofAll}`, [count, waitsUntil]);
  };

  it('double the wait after five wrong codes, also for the right code', async () => {
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

  it('wait at most 15 minutes with a page’s key, and 30 s with a server’s key', async () => {
    for (const [by, longest] of [
      [page, 900],
      [server, 30],
    ] as const) {
      await wrong(1, { by });
      // Simulates 19 more guesses whose waits are over.
      await query('UPDATE wrong_guesses SET count = 20 WHERE count < 20');
      await wrong(1, { by });
      expect(await retryAfter(secureCode, { by })).toBe(longest);
      // Moves the time alone: the gateways would do the background work of 15 minutes.
      clock.stall(longest * 1_000);
      await join(secureCode, { by }).expect(201);
    }
  });

  it('do not extend the wait while they must wait', async () => {
    await wrong(5);
    for (let guess = 0; guess < 20; guess += 1) await join('guess').expect(429);
    await clock.advance(1_000);
    await join(secureCode).expect(201);
  });

  it('of one address delay no other address and no other room', async () => {
    await wrong(5);
    await join(secureCode).expect(429);
    await join(secureCode, { from: '192.0.2.2' }).expect(201);
    const room = { action: 'create', userName: 'Ann', secureCode };
    meetingID = (await post('/v1/rooms', room).expect(201)).body.room.meetingID;
    await join(secureCode).expect(201);
  });

  it('of many addresses delay only addresses that guessed wrong before', async () => {
    await guessedByAll(500, 30_000);
    expect(await retryAfter(secureCode)).toBe(30);
    await join(secureCode, { from: '192.0.2.3' }).expect(201);
    await clock.advance(29_999);
    expect(await retryAfter(secureCode)).toBe(1);
    await clock.advance(1);
    await join(secureCode).expect(201);
  });

  it('of a thousand addresses delay everybody, for at most 30 s', async () => {
    await guessedByAll(1_000, 0);
    await wrong(1);
    expect(await retryAfter(secureCode, { from: '192.0.2.4' })).toBe(30);
    await clock.advance(30_000);
    await join(secureCode, { from: '192.0.2.4' }).expect(201);
  });

  it('are counted together by two gateways, also concurrently', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => join(`guess ${n}`, { at: n % 2 === 0 ? gateway : replica })),
    );
    const statuses = answers.map(({ status }) => status);
    expect([403, 429].map(status => statuses.filter(each => each === status).length)).toEqual([5, 25]);
    await join(secureCode, { at: replica }).expect(429);
  });

  it('are forgotten after an hour', async () => {
    await wrong(5);
    await query(`UPDATE wrong_guesses SET last_at = last_at - interval '1 hour', waits_until = last_at`);
    await wrong(5);
    expect(await retryAfter('guess')).toBe(1);
  });

  describe('of very many addresses at the same time', () => {
    const counting = GuessWaitsRepository.prototype as unknown as { decide(...guess: unknown[]): Promise<number> };
    const addresses = (count: number) => Array.from({ length: count }, (_, n) => `198.51.100.${n + 1}`);
    let goOn: () => void;

    beforeEach(async () => {
      await wrong(1);
      // Simulates slow counting. A lock in the database would end after 5 s, as each statement does.
      const held = new Promise<void>(resolve => (goOn = resolve));
      const { decide } = counting;
      jest.spyOn(counting, 'decide').mockImplementation(async function (this: unknown, ...guess) {
        await held;
        return decide.apply(this, guess);
      });
    });
    afterEach(() => {
      goOn();
      jest.restoreAllMocks();
    });

    it('leave connections to requests of other accounts', async () => {
      const other = await gateway.makeAccount();
      const asked = jest.spyOn(GuessWaitsRepository.prototype, 'admit');
      const guesses = addresses(50).map(from => join('guess', { from }).then(({ status }) => status));
      const { requests } = poolsOf(gateway.app.get(DataSource));
      expect(requests.options.max).toBeLessThan(guesses.length);
      // All guesses wait now, and one of them holds a connection.
      await waitFor(
        () =>
          asked.mock.calls.length >= guesses.length &&
          requests.waitingCount < 1 &&
          requests.totalCount - requests.idleCount < 2,
      );
      await gateway.http.get('/v1/rooms').set('Authorization', other.authorization).expect(200);
      goOn();
      expect(new Set(await Promise.all(guesses))).toEqual(new Set([403]));
    });

    it('are refused when a hundred wait to be counted', async () => {
      const refused = new EventLog<string | undefined>();
      const asked = jest.spyOn(GuessWaitsRepository.prototype, 'admit');
      const guesses: Promise<number>[] = [];
      // In portions: a request that waits for a connection for 5 s is refused for another reason.
      for (let count = 25; count <= 150; count += 25) {
        for (const from of addresses(count).slice(-25)) {
          guesses.push(
            join('guess', { from }).then(({ status, body, headers }) => {
              if (status === 429) refused.add(`${body.reason} ${headers['retry-after']}`);
              return status;
            }),
          );
        }
        await waitFor(() => asked.mock.calls.length >= count);
      }
      await refused.atLeast(50);
      goOn();
      const statuses = await Promise.all(guesses);
      expect([403, 429].map(status => statuses.filter(each => each === status).length)).toEqual([100, 50]);
      expect(new Set(refused.all)).toEqual(new Set(['too_many_waiting 1']));
      await join(secureCode, { from: '203.0.113.1' }).expect(201);
    });
  });

  it('are not counted without a code', async () => {
    for (let time = 0; time < 10; time += 1) await join(undefined).expect(403);
    await join(secureCode).expect(201);
  });
});
