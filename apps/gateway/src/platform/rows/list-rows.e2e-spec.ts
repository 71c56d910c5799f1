import { defaultEventOptions } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';
import { ListCountsFoldingService } from './list-counts-folding.service.js';

const seedStatement = `
INSERT INTO rooms (id, account_id, event_type, state, key_type, host_name, duration, capacity, settings, room_name, created_at, expires_at)
SELECT 'room_' || $1 || '_' || n, $1, CASE n % 3 WHEN 0 THEN 'webinar' ELSE 'conference' END,
  CASE n % 10 WHEN 0 THEN 'active' ELSE 'ended' END, 'sandbox', 'Ann', 60, 20, $3,
  CASE WHEN n % 10 <> 0 THEN 'Stage' || n % 7 END,
  timestamptz '2026-01-01T00:00:00Z' + n * $4::interval, timestamptz '2099-01-01'
FROM generate_series(1, $2::int) AS n`;

describe('lists', () => {
  let gateway: TestGateway;
  let database: DataSource;

  beforeAll(async () => {
    gateway = await startTestGateway();
    // Only the test folds here: a second folding at the same time does nothing.
    await gateway.app.get(ListCountsFoldingService, { strict: false }).onApplicationShutdown();
    database = gateway.app.get(DataSource);
  });
  afterAll(() => gateway.close());

  const seeded = async (rooms: number, apart = '7 minutes'): Promise<TestAccount> => {
    const account = await gateway.makeAccount();
    await database.query(seedStatement, [account.accountID, rooms, defaultEventOptions('conference'), apart]);
    return account;
  };
  const list = async ({ authorization }: TestAccount, query: string) => {
    const { body } = await gateway.http.get(`/v1/rooms?${query}`).set('Authorization', authorization).expect(200);
    return { ids: body.rooms.map((room: { meetingID: string }) => room.meetingID) as string[], total: body.total };
  };
  const total = async (account: TestAccount, query = '') =>
    (await list(account, `${query}&pageSize=1`)).total as number;
  const totals = async (account: TestAccount) => ({
    all: await total(account),
    active: await total(account, 'state=active'),
    webinars: await total(account, 'eventType=webinar'),
    activeWebinars: await total(account, 'state=active&eventType=webinar'),
    ofName: await total(account, 'roomName=Stage0'),
  });
  const expected = ({ accountID }: TestAccount, numbers: number[]) => numbers.map(n => `room_${accountID}_${n}`);
  const fold = () => gateway.app.get(ListCountsFoldingService, { strict: false }).fold();

  it('are newest first, with each row on one page', async () => {
    const account = await seeded(250);
    const pages = await Promise.all([0, 100, 200, 300].map(start => list(account, `startIndex=${start}&pageSize=100`)));
    const all = Array.from({ length: 250 }, (_, index) => 250 - index);
    expect(pages.flatMap(({ ids }) => ids)).toEqual(expected(account, all));
    expect(pages.map(page => page.total)).toEqual([250, 250, 250, 250]);
  });

  it.each(['0 seconds', '40 seconds', '3 hours', '9 days'])('start at any row when rows are %s apart', async apart => {
    const account = await seeded(40, apart);
    const { ids: all } = await list(account, 'pageSize=100');
    for (let start = 0; start <= 40; start += 1) {
      if (start === 20) await fold();
      const { ids } = await list(account, `startIndex=${start}&pageSize=3`);
      expect(ids).toEqual(all.slice(start, start + 3));
    }
    expect(new Set(all).size).toBe(40);
  });

  it('count and page the rows of a filter', async () => {
    const account = await seeded(60);
    for (const again of [fold, fold]) {
      expect(await list(account, 'state=active&startIndex=2&pageSize=2')).toEqual({
        ids: expected(account, [40, 30]),
        total: 6,
      });
      expect(await list(account, 'eventType=webinar&state=active&startIndex=1')).toEqual({
        ids: expected(account, [30]),
        total: 2,
      });
      expect(await list(account, 'roomName=Stage0&eventType=conference&startIndex=1')).toEqual({
        ids: expected(account, [49, 35, 28, 14, 7]),
        total: 6,
      });
      await again();
    }
  });

  it('have the right total after filtered columns change and after deletions', async () => {
    const account = await seeded(60);
    const rooms = (...numbers: number[]) => [expected(account, numbers)];
    const before = { all: 60, active: 6, webinars: 20, activeWebinars: 2, ofName: 8 };
    expect(await totals(account)).toEqual(before);
    await fold();
    await database.query(`UPDATE rooms SET state = 'ended', room_name = 'Stage0' WHERE id = ANY($1)`, rooms(30, 50));
    expect(await totals(account)).toEqual({ ...before, active: 4, activeWebinars: 1, ofName: 10 });
    await database.query(`UPDATE rooms SET event_type = 'webinar' WHERE id = ANY($1)`, rooms(10, 1));
    expect(await totals(account)).toEqual({ all: 60, active: 4, webinars: 22, activeWebinars: 2, ofName: 10 });
    await fold();
    await database.query('DELETE FROM rooms WHERE id = ANY($1)', rooms(60, 59, 10, 1));
    const after = { all: 56, active: 2, webinars: 19, activeWebinars: 0, ofName: 10 };
    expect(await totals(account)).toEqual(after);
    await fold();
    expect(await totals(account)).toEqual(after);
  });

  it('follow rows whose time changes', async () => {
    const account = await seeded(5);
    await database.query(`UPDATE rooms SET created_at = '2020-01-01T00:00:00Z' WHERE id = ANY($1)`, [
      expected(account, [5, 3]),
    ]);
    expect(await list(account, 'startIndex=2')).toEqual({ ids: expected(account, [1, 5, 3]), total: 5 });
  });

  it('do not count rows of other accounts', async () => {
    const [account, other] = [await seeded(30), await seeded(5)];
    expect([await total(account), await total(other)]).toEqual([30, 5]);
    expect((await list(other, 'startIndex=5')).ids).toEqual([]);
  });

  it('do not count rolled back rows', async () => {
    const account = await seeded(10);
    const before = await totals(account);
    await fold();
    const failing = database.transaction(async manager => {
      await manager.query(`UPDATE rooms SET event_type = 'webinar' WHERE account_id = $1`, [account.accountID]);
      await manager.query('DELETE FROM rooms WHERE id = ANY($1)', [expected(account, [1, 2, 3])]);
      expect(await totals(account)).toEqual(before);
      throw new Error('changed its mind');
    });
    await expect(failing).rejects.toThrow('changed its mind');
    await fold();
    expect(await totals(account)).toEqual(before);
  });

  it('have the right total during concurrent changes and folding', async () => {
    const account = await seeded(40);
    const create = () =>
      gateway.http
        .post('/v1/rooms')
        .set('Authorization', account.authorization)
        .send({ action: 'create', userName: 'A' });
    const end = (n: number) =>
      database.query(`UPDATE rooms SET state = 'ended' WHERE id = ANY($1)`, [expected(account, [10 * n])]);
    const remove = (n: number) => database.query('DELETE FROM rooms WHERE id = ANY($1)', [expected(account, [n])]);
    const work = Array.from({ length: 20 }, (_, n) => [create(), end(n), remove(n), fold(), total(account)]);
    await Promise.all(work.flat());
    const after = async () => ({ all: await total(account), active: await total(account, 'state=active') });
    // 40 seeded and 20 new rows without numbers 1 to 19. No seeded row is active any more.
    expect(await after()).toEqual({ all: 41, active: 20 });
    await fold();
    expect(await after()).toEqual({ all: 41, active: 20 });
    const [{ counted }] = await database.query(
      `SELECT sum(rows)::int AS counted FROM list_counts WHERE list = 'rooms' AND scope = $1 AND width = 1`,
      [account.accountID],
    );
    expect(counted).toBe(41);
  });

  it('keep no counts of removed rows', async () => {
    const account = await seeded(20);
    await fold();
    await database.query('DELETE FROM rooms WHERE account_id = $1', [account.accountID]);
    expect(await list(account, '')).toEqual({ ids: [], total: 0 });
    await fold();
    const left = 'SELECT 1 FROM list_counts WHERE scope = $1 UNION ALL SELECT 1 FROM list_changes WHERE scope = $1';
    expect(await database.query(left, [account.accountID])).toEqual([]);
  });

  it('are recounted by recount_rooms', async () => {
    const account = await seeded(60);
    const before = await totals(account);
    await fold();
    await gateway.asOwner('ALTER TABLE rooms DISABLE TRIGGER rooms_counted');
    await database.query('DELETE FROM rooms WHERE id = ANY($1)', [expected(account, [2])]);
    await gateway.asOwner('ALTER TABLE rooms ENABLE TRIGGER rooms_counted');
    expect(await totals(account)).toEqual(before);
    await gateway.asOwner('SELECT recount_rooms()');
    expect(await totals(account)).toEqual({ ...before, all: 59 });
    expect((await list(account, 'startIndex=56')).ids).toEqual(expected(account, [4, 3, 1]));
  });

  it.each(['pageSize=0', 'pageSize=101', 'startIndex=-1', 'startIndex=2147483648', 'pageSize=ten', 'pageSize='])(
    'are refused for %s',
    async query => {
      const { authorization } = await gateway.makeAccount();
      const { body } = await gateway.http.get(`/v1/rooms?${query}`).set('Authorization', authorization).expect(400);
      expect(body).toMatchObject({ code: 'BAD_REQUEST', reason: 'invalid_request' });
    },
  );
});
