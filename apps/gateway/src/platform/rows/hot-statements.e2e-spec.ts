import { systemClock } from '@rtms/clock';
import { startPostgres, type TestPostgres } from '@rtms/testing';
import { DataSource, type QueryRunner } from 'typeorm';
import { BalancesRepository } from '../../accounts/balance/balances.repository.js';
import { RoomsRepository } from '../../rooms/records/rooms.repository.js';
import { migratedSchema } from '../../testing/start-test-gateway.js';
import { databaseOptions } from '../database/data-source.js';

const formerRooms = 20_000;
const running = 2_000;

/** Ended rooms, rooms with one live session each, an ended room with a live session, and the usage of all of them. */
const fillStatements = [
  `INSERT INTO accounts (id, name, api_user_name) VALUES ('acct_1', 'Test', 'test')`,
  `INSERT INTO rooms (id, account_id, event_type, state, key_type, host_name, duration, capacity, settings, expires_at)
   SELECT 'room_' || n, 'acct_1', 'conference', CASE WHEN n <= ${formerRooms} THEN 'ended' ELSE 'active' END, 'sandbox',
     'Ann', 60, 20, '{}', timestamptz '2099-01-01'
   FROM generate_series(1, ${formerRooms + running}) AS n`,
  `INSERT INTO external_sessions (id, account_id, meeting_id, participant_id, display_name, protocol, requested_tracks, state)
   SELECT 'ext_' || n, 'acct_1', 'room_' || n, 'part_1', 'Camera', 'whip', '["video"]',
     CASE WHEN n < ${formerRooms} THEN 'ended' ELSE 'active' END
   FROM generate_series(1, ${formerRooms + running}) AS n`,
  `INSERT INTO usage_intervals (account_id, key_type, meeting_id, resource_id, kind, started_at, ended_at, metered_until, settled)
   SELECT 'acct_1', 'sandbox', 'room_' || n, 'ext_' || n, 'external_session', at, NULL, at, false
   FROM generate_series(${formerRooms + 1}, ${formerRooms + running}) AS n, (SELECT now() - interval '1 minute' AS at) AS begun`,
  'ANALYZE',
];

const sums = (columns: string, source: string): string =>
  `SELECT account_id, key_type, recording, ${columns} FROM ${source} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
const keptSums = sums(
  'sum(running)::int AS running, sum(running_from_ms)::text AS begun, sum(ended_ms)::text AS ended',
  'unsettled_usage',
);
const ms = (time: string): string => `(EXTRACT(EPOCH FROM ${time}) * 1000)::bigint`;
const directSums = sums(
  `(count(*) FILTER (WHERE ended_at IS NULL))::int AS running,
   COALESCE(sum(${ms('metered_until')}) FILTER (WHERE ended_at IS NULL), 0)::text AS begun,
   COALESCE(sum(${ms('ended_at')} - ${ms('metered_until')}) FILTER (WHERE ended_at IS NOT NULL), 0)::text AS ended`,
  `(SELECT *, kind = 'recording' AS recording FROM usage_intervals WHERE NOT settled) AS unsettled`,
);

const countStatement = `
SELECT seq_scan::int AS "sequentialScans", (seq_tup_read + idx_tup_fetch)::int AS rows
FROM pg_stat_xact_user_tables WHERE relname = $1`;

/** The number of rows of a table that this transaction read. */
interface Touched {
  sequentialScans: number;
  rows: number;
}

describe('statements that run each second or with each request', () => {
  let postgres: TestPostgres;
  let database: DataSource;

  beforeAll(async () => {
    postgres = await startPostgres({ template: migratedSchema });
    database = await new DataSource(
      databaseOptions(postgres.url, { warn: () => undefined }, { queryTimeoutMs: 0 }),
    ).initialize();
    for (const statement of fillStatements) await database.query(statement);
  });
  afterAll(async () => {
    await database?.destroy();
    await postgres?.stop();
  });

  /** PostgreSQL counts the rows that a connection really reads, not the planner's estimate. */
  async function touchedBy(table: string, act: (queries: DataSource) => Promise<void>): Promise<Touched> {
    const runner: QueryRunner = database.createQueryRunner();
    const count = async (): Promise<Touched> => {
      const [counts] = (await runner.query(countStatement, [table])) as Touched[];
      return counts!;
    };
    await runner.startTransaction();
    try {
      const queries = { query: (sql: string, parameters: unknown[]) => runner.query(sql, parameters) };
      const before = await count();
      await act(queries as unknown as DataSource);
      const after = await count();
      return { sequentialScans: after.sequentialScans - before.sequentialScans, rows: after.rows - before.rows };
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  }

  it('find ended rooms with live media without a scan of all rooms', async () => {
    const found: unknown[] = [];
    const touched = await touchedBy('rooms', async queries => {
      found.push(...(await new RoomsRepository(queries, systemClock).listEndedWithLiveMedia()));
    });
    expect(found).toEqual([{ id: `room_${formerRooms}` }]);
    expect(touched.sequentialScans).toBe(0);
    expect(touched.rows).toBeLessThanOrEqual(running + 1);
  });

  it('find live sessions without a scan of all sessions', async () => {
    const touched = await touchedBy('external_sessions', async queries => {
      await new RoomsRepository(queries, systemClock).listEndedWithLiveMedia();
    });
    expect(touched.sequentialScans).toBe(0);
    expect(touched.rows).toBeLessThanOrEqual(running + 1);
  });

  it('find the ended rooms of a node without a scan of all rooms', async () => {
    const named = [
      'room_unknown',
      `room_${formerRooms}`,
      ...Array.from({ length: 900 }, (_, n) => `room_${formerRooms + 1 + n}`),
    ];
    const found: string[] = [];
    const touched = await touchedBy('rooms', async queries => {
      found.push(...(await new RoomsRepository(queries, systemClock).listEndedAmong(named)));
    });
    expect(found.sort()).toEqual([`room_${formerRooms}`, 'room_unknown']);
    expect(touched.sequentialScans).toBe(0);
    expect(touched.rows).toBeLessThanOrEqual(named.length);
  });

  it('read a balance without a scan of running media', async () => {
    let remaining = 0;
    const read = async (queries: DataSource): Promise<void> => {
      remaining = (await new BalancesRepository(queries, systemClock).read('acct_1')).sandbox.meetingMs;
    };
    const usage = await touchedBy('usage_intervals', read);
    expect(usage).toEqual({ sequentialScans: 0, rows: 0 });
    const expected = 6_000_000_000 - running * 60_000;
    expect(remaining).toBeLessThanOrEqual(expected);
    expect(remaining).toBeGreaterThan(expected - running * 60_000);
    await new BalancesRepository(database, systemClock).fold();
    const sums = await touchedBy('unsettled_usage', read);
    expect(sums.rows).toBeLessThanOrEqual(4);
  });

  it.each([
    [
      'begins',
      `INSERT INTO usage_intervals (account_id, key_type, meeting_id, resource_id, kind, started_at, metered_until)
       SELECT 'acct_1', 'production', 'room_1', 'rec_' || n, 'recording', now(), now() FROM generate_series(1, 9) AS n`,
    ],
    [
      'ends',
      `UPDATE usage_intervals SET ended_at = metered_until + interval '7 seconds' WHERE id % 3 = 0 AND ended_at IS NULL`,
    ],
    [
      'ends before what is charged',
      `UPDATE usage_intervals SET metered_until = ended_at + interval '1 second' WHERE id % 6 = 0`,
    ],
    [
      'is charged',
      `UPDATE usage_intervals SET metered_until = metered_until + interval '5 seconds' WHERE ended_at IS NULL`,
    ],
    [
      'is settled',
      `UPDATE usage_intervals SET metered_until = ended_at, settled = true WHERE id % 9 = 0 AND ended_at IS NOT NULL`,
    ],
    ['is deleted', `DELETE FROM usage_intervals WHERE id % 5 = 0`],
  ])('have the right sums of usage after some %s', async (_, change) => {
    await database.query(change);
    const direct = await database.query<object[]>(directSums);
    expect(direct.length).toBeGreaterThan(0);
    expect(await database.query(keptSums)).toEqual(direct);
    await new BalancesRepository(database, systemClock).fold();
    expect(await database.query(keptSums)).toEqual(direct);
  });
});
