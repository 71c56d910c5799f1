import { DataSource } from 'typeorm';
import { defaultOptions } from '../event-settings/event-options.js';
import { startTestGateway, type TestAccount, type TestGateway } from '../testing/start-test-gateway.js';
import { ListBucketsFolding } from './list-buckets-folding.service.js';

const seedStatement = `
INSERT INTO rooms (id, account_id, event_type, state, key_type, host_name, duration, capacity, settings, created_at, expires_at)
SELECT 'room_' || $1 || '_' || n, $1, CASE n % 3 WHEN 0 THEN 'webinar' ELSE 'conference' END,
  CASE n % 10 WHEN 0 THEN 'active' ELSE 'ended' END, 'sandbox', 'Ann', 60, 20, $3,
  timestamptz '2026-01-01T00:00:00Z' + n * interval '7 minutes', timestamptz '2099-01-01'
FROM generate_series(1, $2::int) AS n`;

describe('lists', () => {
  let gateway: TestGateway;
  let database: DataSource;

  beforeAll(async () => {
    gateway = await startTestGateway();
    database = gateway.app.get(DataSource);
  });
  afterAll(() => gateway.close());

  const seeded = async (rooms: number): Promise<TestAccount> => {
    const account = await gateway.makeAccount();
    await database.query(seedStatement, [account.accountID, rooms, defaultOptions('conference')]);
    return account;
  };
  const list = async ({ authorization }: TestAccount, query: string) => {
    const { body } = await gateway.http.get(`/v1/rooms?${query}`).set('Authorization', authorization).expect(200);
    return { ids: body.rooms.map((room: { meetingID: string }) => room.meetingID) as string[], total: body.total };
  };
  const expected = ({ accountID }: TestAccount, numbers: number[]) => numbers.map(n => `room_${accountID}_${n}`);

  it('are newest first, each row on one page', async () => {
    const account = await seeded(250);
    const pages = await Promise.all([0, 100, 200, 300].map(start => list(account, `startIndex=${start}&pageSize=100`)));
    const all = Array.from({ length: 250 }, (_, index) => 250 - index);
    expect(pages.flatMap(({ ids }) => ids)).toEqual(expected(account, all));
    expect(pages.map(({ total }) => total)).toEqual([250, 250, 250, 250]);
  });

  it('begin anywhere, also where one hour ends and another begins', async () => {
    const account = await seeded(40);
    for (let start = 0; start < 40; start += 1) {
      expect((await list(account, `startIndex=${start}&pageSize=3`)).ids).toEqual(
        expected(
          account,
          [40 - start, 39 - start, 38 - start].filter(n => n > 0),
        ),
      );
    }
  });

  it('count what matches a filter', async () => {
    const account = await seeded(60);
    expect(await list(account, 'state=active&startIndex=2&pageSize=2')).toEqual({
      ids: expected(account, [40, 30]),
      total: 6,
    });
    expect(await list(account, 'eventType=webinar&state=active&pageSize=5')).toEqual({
      ids: expected(account, [60, 30]),
      total: 2,
    });
  });

  it('lose what is deleted, and count nothing of others', async () => {
    const [account, other] = [await seeded(30), await seeded(5)];
    await database.query('DELETE FROM rooms WHERE id = ANY($1)', [expected(account, [30, 29, 1])]);
    expect(await list(account, 'startIndex=26')).toEqual({ ids: expected(account, [2]), total: 27 });
    expect((await list(other, '')).total).toBe(5);
  });

  it('stay as they are when the counts of past hours are folded', async () => {
    const account = await seeded(100);
    await database.query('DELETE FROM rooms WHERE id = $1', [`room_${account.accountID}_50`]);
    const before = await list(account, 'startIndex=45&pageSize=10');
    await gateway.app.get(ListBucketsFolding, { strict: false }).fold(new Date());
    expect(await list(account, 'startIndex=45&pageSize=10')).toEqual(before);
    expect(
      await database.query('SELECT 1 FROM list_buckets WHERE shard <> 0 AND scope = $1', [account.accountID]),
    ).toEqual([]);
  });

  it('count rows that many add at once', async () => {
    const account = await gateway.makeAccount();
    const create = () =>
      gateway.http
        .post('/v1/rooms')
        .set('Authorization', account.authorization)
        .send({ action: 'create', userName: 'A' });
    const answers = await Promise.all(Array.from({ length: 40 }, create));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect((await list(account, 'pageSize=1')).total).toBe(40);
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
