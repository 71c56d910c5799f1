import { systemClock } from '@rtms/clock';
import { defaultEventOptions } from '@rtms/contracts';
import { ManualClock } from '@rtms/testing';
import { DataSource } from 'typeorm';
import { AdvisoryLocksService, lockNumbers } from '../../platform/database/advisory-locks.service.js';
import { startTestGateway, type TestAccount, type TestGateway } from '../../testing/start-test-gateway.js';
import { defaultRetention, type RetentionPeriods } from './retention-periods.js';
import { retentionRules } from './retention.repository.js';
import { RetentionService } from './retention.service.js';

const retention: RetentionPeriods = {
  accounts: 4,
  rooms: 10,
  messages: 5,
  calls: 7,
  usage: 20,
  keys: 3,
  deletedRecords: 2,
  audit: 6,
  events: 8,
  webhookDeliveries: 1,
};

const seed = `
INSERT INTO rooms (id, account_id, event_type, state, key_type, host_name, duration, capacity, settings, created_at, expires_at, ended_at)
SELECT 'room_' || d, $1, 'conference', CASE d WHEN 0 THEN 'active' ELSE 'ended' END, 'sandbox', 'Ann', 60, 20, $2,
  now() - d * interval '1 day', now() + interval '1 day', CASE d WHEN 0 THEN NULL ELSE now() - d * interval '1 day' END
FROM generate_series(0, 30) AS d;
INSERT INTO participants (id, account_id, meeting_id, user_name, role, state, joined_at)
SELECT 'part_' || d, $1, 'room_' || d, 'Ann', 'host', 'left', now() FROM generate_series(0, 30) AS d;
INSERT INTO external_sessions (id, account_id, meeting_id, participant_id, display_name, protocol, requested_tracks, state)
SELECT 'ses_' || d, $1, 'room_' || d, 'part_x' || d, 'Camera', 'whip', '["video"]', 'ended' FROM generate_series(1, 30) AS d;
INSERT INTO playbacks (id, account_id, meeting_id, source_session_id, tracks, state)
SELECT 'play_' || d, $1, 'room_' || d, 'ses_' || d, '["video"]', 'ended' FROM generate_series(1, 30) AS d;
INSERT INTO recordings (id, account_id, meeting_id, source_session_id, state, storage, node_id)
SELECT 'rec_' || d, $1, 'room_' || d, 'ses_' || d, s, CASE d WHEN 25 THEN 'node' END, 'transcoder-1'
FROM (VALUES (24, 'failed'), (25, 'ready'), (26, 'ready'), (27, 'processing')) AS made (d, s);
INSERT INTO room_messages (id, account_id, meeting_id, sender_id, message, created_at)
SELECT 'msg_' || d, $1, 'room_' || d, 'part_' || d, 'Hello', now() - d * interval '1 day' FROM generate_series(0, 30) AS d;
INSERT INTO sip_calls (id, account_id, meeting_id, direction, caller_number, callee_number, state, created_at, ended_at)
SELECT 'call_' || d, $1, 'room_' || d, 'incoming', '+1', '+2', 'ended', now() - d * interval '1 day',
  CASE d WHEN 30 THEN NULL ELSE now() END FROM generate_series(0, 30) AS d;
INSERT INTO usage_intervals (account_id, key_type, meeting_id, resource_id, kind, started_at, ended_at, metered_until, settled)
SELECT $1, 'sandbox', 'room_' || d, 'part_' || d, 'external_session', at, CASE WHEN d < 30 THEN at END, at, d < 30
FROM generate_series(0, 30) AS d, LATERAL (SELECT now() - d * interval '1 day' AS at) AS times;
INSERT INTO disposable_keys (id, account_id, name, type, operations, hash, masked_key, created_at, expires_at, revoked_at, created_by_key_id)
SELECT 'dk_' || n, $1, n, 'sandbox', '{}', n::bytea, 'x', now(), expires, revoked, parent FROM (VALUES
  ('lasting', NULL, NULL, NULL), ('expired', now() - interval '4 days', NULL, NULL),
  ('fresh', now() - interval '2 days', NULL, NULL), ('revoked', now() + interval '9 days', now() - interval '4 days', NULL),
  ('parent', now() - interval '4 days', NULL, NULL), ('child', NULL, NULL, 'dk_parent')
) AS made (n, expires, revoked, parent);
INSERT INTO api_keys (id, account_id, type, hash, masked_key, created_at, superseded_at, expires_at)
SELECT 'key_' || d, $1, 'production', ('key_' || d)::bytea, 'x', now(), now(), now() - d * interval '1 day'
FROM generate_series(-1, 6) AS d;
INSERT INTO deleted_records (account_id, id, deleted_at)
SELECT $1, 'gone_' || d, now() - d * interval '1 day' FROM generate_series(0, 5) AS d;
INSERT INTO audit_entries (id, at, actor_kind, action, details, address, request_id, outcome)
SELECT 'audit_' || d, now() - d * interval '1 day', 'administrator', 'POST /', '{}', '::1', 'r', 'succeeded' FROM generate_series(0, 10) AS d;
INSERT INTO account_events (account_id, sequence, id, type, created_at, resource_kind, resource_id, data)
SELECT $1, 1000000 - d, 'evt_' || d, 'room.ended', now() - d * interval '1 day', 'room', 'room_' || d, '{}' FROM generate_series(0, 10) AS d;
INSERT INTO webhooks (id, account_id, key_type, url, encrypted_secret) VALUES ('hook_1', $1, 'sandbox', 'https://a.example/', '');
INSERT INTO webhook_deliveries (webhook_id, account_id, id, cause, event_id, type, lane, body, state, is_head, created_at, finished_at)
SELECT 'hook_1', $1, 'dlv_' || d, 'event', 'evt', 'room.ended', d, '{}', CASE d WHEN 9 THEN 'pending' ELSE 'delivered' END, false,
  now() - d * interval '1 day', CASE WHEN d < 9 THEN now() - d * interval '1 day' END FROM generate_series(0, 9) AS d;
INSERT INTO signing_keys (kid, public_jwk, encrypted_private_jwk, created_at, retired_at)
SELECT 'kid_' || d, '{}', '', now() - d * interval '1 day', now() - d * interval '1 day' FROM (VALUES (20), (40)) AS made (d)`;

describe('retention', () => {
  let gateway: TestGateway;
  let database: DataSource;
  let account: TestAccount;

  beforeAll(async () => {
    gateway = await startTestGateway();
    // Only one run at a time deletes rows: here only the run of the test.
    await gateway.app.get(RetentionService, { strict: false }).onApplicationShutdown();
    database = gateway.app.get(DataSource);
    account = await gateway.makeAccount();
    for (const statement of seed.split(';\n')) {
      const parameters = [account.accountID, defaultEventOptions('conference')];
      const count = ['$1', '$2'].filter(each => statement.includes(each)).length;
      await database.query(statement, parameters.slice(0, count));
    }
  });
  afterAll(() => gateway?.close());

  const idsOf = async (table: string, column = 'id', where = 'true'): Promise<string[]> => {
    const rows = await database.query<{ id: string }[]>(
      `SELECT ${column}::text AS id FROM ${table} WHERE ${where} ORDER BY length(${column}::text), 1`,
    );
    return rows.map(({ id }) => id);
  };
  const numbered = (name: string, ...numbers: number[]) => numbers.map(n => `${name}_${n}`);
  const upTo = (last: number, first = 0) => Array.from({ length: last - first + 1 }, (_, n) => n + first);
  const rooms = async () => {
    const answer = await gateway.http.get('/v1/rooms?pageSize=100').set('Authorization', account.authorization);
    return { total: answer.body.total as number, listed: (answer.body.rooms as unknown[]).length };
  };
  const balance = async () => {
    const { body } = await gateway.http.get('/v1/balance').set('Authorization', account.authorization).expect(200);
    return body.balance as object;
  };

  it('deletes only data that is older than its period', async () => {
    const before = await balance();
    await new RetentionService(database, gateway.app.get(AdvisoryLocksService), { retention }, systemClock).run();
    // Rooms 25 and 27 have a file or may get one.
    const kept = [...upTo(9), 25, 27];
    expect(await idsOf('rooms')).toEqual(numbered('room', ...kept));
    expect(await idsOf('participants')).toEqual(numbered('part', ...kept));
    expect(await idsOf('external_sessions')).toEqual(numbered('ses', ...kept.slice(1)));
    expect(await idsOf('playbacks')).toEqual(numbered('play', ...kept.slice(1)));
    expect(await idsOf('recordings')).toEqual(numbered('rec', 25, 27));
    expect(await idsOf('room_messages')).toEqual(numbered('msg', ...upTo(4)));
    expect(await idsOf('sip_calls')).toEqual(numbered('call', ...upTo(6), 30));
    expect(await idsOf('usage_intervals', 'resource_id', `meeting_id LIKE 'room%'`)).toEqual(
      numbered('part', ...upTo(19), 30),
    );
    expect((await idsOf('disposable_keys')).sort()).toEqual(['dk_child', 'dk_fresh', 'dk_lasting', 'dk_parent']);
    expect(await idsOf('api_keys', 'id', `type = 'production'`)).toEqual(['key_0', 'key_1', 'key_2', 'key_-1']);
    expect(await idsOf('deleted_records')).toEqual(numbered('gone', 0, 1));
    expect(await idsOf('audit_entries')).toEqual(numbered('audit', ...upTo(5)));
    expect(await idsOf('account_events', 'id', `id ~ '^evt_[0-9]{1,2}$'`)).toEqual(numbered('evt', ...upTo(7)));
    expect(await idsOf('webhook_deliveries')).toEqual(['dlv_0', 'dlv_9']);
    expect(await idsOf('signing_keys', 'kid', `kid LIKE 'kid%'`)).toEqual(['kid_20']);
    expect(await balance()).toEqual(before);
  });

  it('keeps the counts of lists correct', async () => {
    expect(await rooms()).toEqual({ total: 12, listed: 12 });
  });

  it('deletes any number of rows in one run', async () => {
    await database.query(
      `INSERT INTO deleted_records (account_id, id, deleted_at)
       SELECT $1, 'many_' || n, now() - interval '3 days' FROM generate_series(1, 2500) AS n`,
      [account.accountID],
    );
    await new RetentionService(database, gateway.app.get(AdvisoryLocksService), { retention }, systemClock).run();
    expect(await idsOf('deleted_records')).toEqual(numbered('gone', 0, 1));
  });

  it('keeps the newest 100,000 audit entries of an account', async () => {
    const insert = `INSERT INTO audit_entries (id, at, actor_kind, account_id, action, details, address, request_id, outcome)
      SELECT $1 || n, now(), 'main', $1, 'POST /', '{}', '::1', 'r', 'succeeded' FROM generate_series(1, $2::int) AS n`;
    await gateway.asOwner(insert, ['full', 101_200]);
    await gateway.asOwner(insert, ['other', 5]);
    await new RetentionService(database, gateway.app.get(AdvisoryLocksService), { retention }, systemClock).run();
    const [counts] = await database.query(`SELECT count(*) FILTER (WHERE account_id = 'full')::int AS full,
      count(*) FILTER (WHERE id = 'full1')::int AS oldest, count(*) FILTER (WHERE account_id = 'other')::int AS other
      FROM audit_entries`);
    expect(counts).toEqual({ full: 100_000, oldest: 0, other: 5 });
  });

  it('runs on one gateway at a time', async () => {
    const runner = database.createQueryRunner();
    try {
      await runner.query('SELECT pg_advisory_lock($1)', [lockNumbers.retention]);
      await database.query(`INSERT INTO deleted_records VALUES ($1, 'due', now() - interval '3 days')`, [
        account.accountID,
      ]);
      await new RetentionService(database, gateway.app.get(AdvisoryLocksService), { retention }, systemClock).run();
      expect(await idsOf('deleted_records', 'id', `id = 'due'`)).toEqual(['due']);
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [lockNumbers.retention]);
      await runner.release();
    }
  });

  it('deletes nothing with 0 days', async () => {
    const forEver = {
      accounts: 0,
      rooms: 0,
      messages: 0,
      calls: 0,
      usage: 0,
      keys: 0,
      deletedRecords: 0,
      audit: 0,
      events: 0,
      webhookDeliveries: 0,
    };
    await new RetentionService(
      database,
      gateway.app.get(AdvisoryLocksService),
      { retention: forEver },
      new ManualClock(Date.now() + 1e12),
    ).run();
    expect(await idsOf('rooms')).toHaveLength(12);
    expect(await idsOf('deleted_records')).toHaveLength(3);
  });

  it('deletes the deliveries of a deleted account, also those of deleted webhooks', async () => {
    const { accountID } = await gateway.makeAccount();
    await database.query(
      `INSERT INTO webhook_deliveries (webhook_id, account_id, id, cause, event_id, type, lane, body, state, is_head, created_at, finished_at)
       VALUES ('hook_gone', $1, 'dlv_gone', 'event', 'evt', 'room.ended', '1', '{}', 'failed', false, now(), now())`,
      [accountID],
    );
    await database.query(`UPDATE accounts SET deleted_at = now() - interval '1000 days' WHERE id = $1`, [accountID]);
    await new RetentionService(database, gateway.app.get(AdvisoryLocksService), { retention }, systemClock).run();
    expect(await idsOf('webhook_deliveries', 'id', `webhook_id = 'hook_gone'`)).toEqual([]);
  });

  it('finds the rows of each rule by an index', async () => {
    const runner = database.createQueryRunner();
    try {
      await runner.query('SET enable_seqscan = off');
      // There are always few signing keys.
      for (const { name, statement } of retentionRules.filter(rule => rule.name !== 'signingKeys')) {
        const plan = await runner.query(`EXPLAIN ${statement}`, [new Date(0)]);
        const lines = (plan as { 'QUERY PLAN': string }[]).map(line => line['QUERY PLAN']).join('\n');
        expect([name, lines]).toEqual([name, expect.not.stringMatching(/Seq Scan/)]);
      }
    } finally {
      await runner.query('RESET enable_seqscan');
      await runner.release();
    }
  });

  it('keeps rooms for a year and their minutes for longer by default', () => {
    expect(defaultRetention).toMatchObject({ rooms: 365, messages: 365, usage: 730 });
  });
});
