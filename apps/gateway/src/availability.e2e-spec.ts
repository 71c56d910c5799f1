import { NatsBus } from '@rtms/bus';
import { factStream } from '@rtms/contracts';
import { startNats, startPostgres, waitFor, type TestNats, type TestPostgres } from '@rtms/testing';
import { FrontDoor } from './front-door.js';
import { startTestGateway, type TestAccount, type TestGateway } from './testing/start-test-gateway.js';

describe('the gateway while a server is away', () => {
  let postgres: TestPostgres;
  let nats: TestNats;
  let bus: NatsBus;
  let gateway: TestGateway;
  let owner: TestAccount;

  beforeAll(async () => {
    [postgres, nats] = await Promise.all([startPostgres({ dedicated: true }), startNats()]);
    bus = await NatsBus.connect({ ...nats.as('gateway'), name: 'gateway-test' });
    await bus.ensureStream(factStream);
    gateway = await startTestGateway({ databaseUrl: postgres.url, bus });
    owner = await gateway.makeAccount();
  });
  afterAll(async () => {
    await gateway.close();
    await bus.close();
    await Promise.all([postgres.stop(), nats.stop()]);
  });

  const listRooms = () => gateway.http.get('/v1/rooms').set('Authorization', owner.authorization);
  /** The status, and the parts that are down. */
  const readiness = async () => {
    const { status, body } = await gateway.http.get('/readyz');
    return [status, ...Object.keys(body.error)];
  };

  it('never fails with 500 when PostgreSQL restarts, and goes on by itself', async () => {
    const statuses = new Set<number>();
    const restart = new AbortController();
    const asking = (async () => {
      while (!restart.signal.aborted) statuses.add((await listRooms()).status);
    })();
    await postgres.restart();
    await waitFor(async () => (await listRooms()).status === 200, { what: 'rooms to be listed again' });
    restart.abort();
    await asking;
    expect([...statuses].filter(status => status !== 200 && status !== 503)).toEqual([]);
    expect(await readiness()).toEqual([200]);
  });

  it('tells callers to come again when its connections to PostgreSQL are cut', async () => {
    const cut = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()';
    await gateway.asOwner(cut);
    const response = await listRooms();
    expect([200, 503]).toContain(response.status);
    await waitFor(async () => (await listRooms()).status === 200, { what: 'rooms to be listed again' });
  });

  it('stays ready without NATS, because it answers reads, and names the bus', async () => {
    await nats.kill();
    await waitFor(() => !bus.isConnected(), { what: 'the outage to be noticed' });
    expect(await readiness()).toEqual([200, 'bus']);
    await listRooms().expect(200);
    await nats.restart();
    await waitFor(() => bus.isConnected(), { what: 'the bus to be back' });
    expect(await readiness()).toEqual([200]);
  });

  it('stays ready without PostgreSQL, because it keeps its sockets, and names the database', async () => {
    await postgres.halt();
    expect(await readiness()).toEqual([200, 'database']);
    expect((await listRooms()).status).toBe(503);
    await postgres.restart();
    await waitFor(async () => (await listRooms()).status === 200, { what: 'rooms to be listed again' });
    expect(await readiness()).toEqual([200]);
  });
});

describe('the gateway before its servers are there', () => {
  it('is alive, not ready, and tells callers to come again', async () => {
    const door = await FrontDoor.open('127.0.0.1', 0);
    const at = (path: string) => fetch(`http://127.0.0.1:${door.port}${path}`);
    expect((await at('/healthz')).status).toBe(200);
    expect((await at('/readyz')).status).toBe(503);
    const response = await at('/v1/rooms');
    expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(await response.json()).toMatchObject({
      success: false,
      code: 'SERVICE_UNAVAILABLE',
      reason: 'dependency_unavailable',
    });
    door.handOver((_request, answer) => answer.writeHead(204).end());
    expect((await at('/v1/rooms')).status).toBe(204);
    await Promise.all([door.close(), door.close()]);
  });

  it('says which setting helps when its port is taken', async () => {
    const door = await FrontDoor.open('127.0.0.1', 0);
    const second = FrontDoor.open('127.0.0.1', door.port);
    try {
      await expect(second).rejects.toThrow(/is in use. Set PORT/);
    } finally {
      await door.close();
    }
  });
});
