/** @seconds 9 */
import { ManualClock, startPostgres, type TestPostgres } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { RoomClient } from '../../testing/room-client.js';
import {
  migratedSchema,
  startTestGateway,
  testAdminToken,
  type TestAccount,
  type TestGateway,
} from '../../testing/start-test-gateway.js';
import { RateLimitCountsRepository } from './rate-limit-counts.repository.js';
import { defaultRateLimits, type RateLimitsConfig } from './rate-limit-policy.js';

/** Interval in which replicas share their counts. */
const flushMs = 200;

describe('rate limits', () => {
  let postgres: TestPostgres;
  const gateways: TestGateway[] = [];
  const clock = new ManualClock();

  beforeAll(async () => {
    postgres = await startPostgres({ template: migratedSchema });
  });
  afterEach(async () => {
    for (const gateway of gateways.splice(0)) await gateway.close();
  });
  afterAll(() => postgres.stop());

  const start = async (limits: Partial<RateLimitsConfig>, databaseUrl?: string, trustedProxies: string[] = []) => {
    const config = { rateLimits: { ...defaultRateLimits, ...limits }, trustedProxies };
    const gateway = await startTestGateway({
      databaseUrl: databaseUrl ?? (await postgres.createDatabase()),
      config,
      clock,
    });
    gateways.push(gateway);
    return gateway;
  };
  const read = ({ http }: TestGateway, { authorization }: Pick<TestAccount, 'authorization'>) =>
    http.get('/v1/rooms').set('Authorization', authorization);
  const write = ({ http }: TestGateway, { authorization }: TestAccount) =>
    http.post('/v1/rooms').set('Authorization', authorization).send({ action: 'create', userName: 'A' });

  it('send the policy and the remaining requests', async () => {
    const gateway = await start({ keyReads: 5, addressReads: 50 });
    const { headers } = await read(gateway, await gateway.makeAccount()).expect(200);
    expect(headers['ratelimit-policy']).toBe('"address-reads";q=50;w=60, "key-reads";q=5;w=60');
    expect(headers['ratelimit']).toBe('"address-reads";r=49;t=60, "key-reads";r=4;t=60');
  });

  it('refuse requests above the limit, with own counts for reads, writes and each key', async () => {
    const gateway = await start({ keyReads: 2, keyWrites: 1 });
    const account = await gateway.makeAccount();
    for (let index = 0; index < 2; index += 1) await read(gateway, account).expect(200);
    const { body, headers } = await read(gateway, account).expect(429);
    expect(body).toMatchObject({ success: false, code: 'RATE_LIMITED', reason: 'rate_limited' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(headers['ratelimit']).toMatch(/"key-reads";r=0;t=\d+$/);
    await write(gateway, account).expect(201);
    await write(gateway, account).expect(429);
    await read(gateway, await gateway.makeAccount()).expect(200);
  });

  it('are shared by all replicas', async () => {
    const databaseUrl = await postgres.createDatabase();
    const one = await start({ keyReads: 6 }, databaseUrl);
    const other = await start({ keyReads: 6 }, databaseUrl);
    const account = await one.makeAccount();
    const counted = async () => {
      const [row] = await one.app
        .get(DataSource)
        .query(`SELECT count FROM rate_limit_counts WHERE subject LIKE 'key-%'`);
      return row?.count as number | undefined;
    };
    for (let index = 0; index < 5; index += 1) await read(one, account).expect(200);
    await clock.advance(flushMs);
    expect(await counted()).toBe(5);
    await read(other, account).expect(200);
    await clock.advance(flushMs);
    expect(await counted()).toBe(6);
    await read(other, account).expect(429);
  });

  it('count each client address before authentication', async () => {
    const gateway = await start({ addressReads: 3 }, undefined, ['loopback']);
    const guess = (address: string) =>
      read(gateway, { authorization: `Bearer nobody1:${'x'.repeat(64)}` }).set('X-Forwarded-For', address);
    for (let index = 0; index < 3; index += 1) await guess('192.0.2.1').expect(401);
    await guess('192.0.2.1').expect(429);
    await guess('192.0.2.2').expect(401);
  });

  it('reset with the next window', async () => {
    const gateway = await start({ keyReads: 1 });
    const account = await gateway.makeAccount();
    await read(gateway, account).expect(200);
    await clock.advance(60_000 - (clock.now() % 60_000) - 1);
    await read(gateway, account).expect(429);
    await clock.advance(1);
    await read(gateway, account).expect(200);
  });

  it('ignore X-Forwarded-For from a client that is no trusted proxy', async () => {
    const gateway = await start({ addressReads: 1 });
    const ask = (address: string) => gateway.http.get('/v1/rooms').set('X-Forwarded-For', address);
    await ask('192.0.2.1').expect(401);
    await ask('192.0.2.2').expect(429);
  });

  it('count connections to the room socket on all replicas before their tokens are checked', async () => {
    const databaseUrl = await postgres.createDatabase();
    const limits = { addressHandshakes: 2 };
    const one = await start(limits, databaseUrl, ['loopback']);
    const other = await start(limits, databaseUrl, ['loopback']);
    const knock = async ({ url }: TestGateway, address: string) =>
      (await RoomClient.refusal(url, { token: 'none' }, address)).reason;
    for (let index = 0; index < 2; index += 1) expect(await knock(one, '192.0.2.1')).toBe('invalid_credentials');
    expect(await knock(one, '192.0.2.1')).toBe('rate_limited');
    expect(await knock(one, '192.0.2.2')).toBe('invalid_credentials');
    await clock.advance(flushMs);
    // It asks when it has something to tell itself.
    expect(await knock(other, '192.0.2.1')).toBe('invalid_credentials');
    await clock.advance(flushMs);
    expect(await knock(other, '192.0.2.1')).toBe('rate_limited');
  });

  it('apply to the administration', async () => {
    const gateway = await start({ addressReads: 1 });
    const ask = () => gateway.http.get('/admin/v1/accounts').set('Authorization', `Bearer ${testAdminToken}`);
    await ask().expect(200);
    await ask().expect(429);
  });

  it('can be switched off', async () => {
    const gateway = await start({ keyReads: 0, addressReads: 0 });
    const { headers } = await read(gateway, await gateway.makeAccount()).expect(200);
    expect(headers['ratelimit']).toBeUndefined();
  });

  it('forget callers without a request in the last window', async () => {
    const gateway = await start({});
    const store = gateway.app.get(RateLimitCountsRepository, { strict: false });
    await store.add([
      { subject: 'old', windowStart: 60, count: 1 },
      { subject: 'new', windowStart: 120, count: 1 },
    ]);
    await store.forget(120);
    expect(await store.add([{ subject: 'new', windowStart: 120, count: 1 }])).toMatchObject([{ count: 2 }]);
    expect(await store.add([{ subject: 'old', windowStart: 120, count: 1 }])).toMatchObject([{ count: 1 }]);
  });

  it('ignore a late count of an earlier window', async () => {
    const gateway = await start({});
    const store = gateway.app.get(RateLimitCountsRepository, { strict: false });
    await store.add([{ subject: 'x', windowStart: 120, count: 3 }]);
    expect(await store.add([{ subject: 'x', windowStart: 60, count: 9 }])).toEqual([
      { subject: 'x', windowStart: 120, count: 3 },
    ]);
  });
});
