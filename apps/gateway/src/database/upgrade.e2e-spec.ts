import { waitFor } from '@rtms/testing';
import type { MigrationInterface } from 'typeorm';
import { SigningKeysService } from '../signing-keys/signing-keys.service.js';
import { writeFirstData, writeLaterData, formerKey, type FormerData } from '../testing/former-database.js';
import { SchemaTestBed } from '../testing/schema-test-bed.js';
import { startTestGateway, testConfig, type TestGateway } from '../testing/start-test-gateway.js';
import { allMigrations } from './migrations/all-migrations.js';

const { secretKey } = testConfig('');

const first = 1763700000000;
const lists = 1763745000000;
/** Up to there gateways were given away; from then on a migration takes nothing away that they use. */
const released = 1763760000000;

type MigrationClass = (new () => MigrationInterface) & { name: string };
const upTo = (time: number) => allMigrations.filter(({ name }) => Number(name.slice(-13)) <= time) as MigrationClass[];

async function writeAll(data: FormerData): Promise<void> {
  await writeFirstData(data);
  await writeLaterData(data);
}

describe('a database of a former version', () => {
  let bed: SchemaTestBed;

  beforeAll(async () => {
    bed = await SchemaTestBed.start();
  });
  afterEach(() => bed.closeOpened());
  afterAll(() => bed?.close());

  const openAt = async (time: number) => {
    const url = await bed.createDatabase();
    const database = await bed.open(url, { migrations: upTo(time) });
    await database.runMigrations({ transaction: 'each' });
    return { url, database };
  };
  const reader = (gateway: TestGateway, suffix: string) => async (path: string) => {
    const credential = `Bearer former${suffix}:${formerKey(suffix)}`;
    const { status, body } = await gateway.http.get(path).set('Authorization', credential);
    return { status, ...(body as Record<string, never>) } as Record<string, unknown>;
  };

  const expectFirstData = async (get: (path: string) => Promise<Record<string, unknown>>, suffix: string) => {
    const ended = `room_ended${suffix}`;
    expect(await get('/v1/rooms')).toMatchObject({ status: 200, total: 2 });
    expect(await get('/v1/rooms?state=active')).toMatchObject({ total: 1 });
    expect(await get(`/v1/rooms?meetingID=${ended}`)).toMatchObject({
      room: { roomName: 'Stage', eventType: 'webinar', endReason: 'expired', metadata: { show: 7 }, hostName: 'Ann' },
    });
    expect(await get(`/v1/meetings/${ended}/external-sessions`)).toMatchObject({
      total: 1,
      externalSessions: [
        { state: 'ended', displayName: 'Camera', tracks: [{ codec: 'H264' }], endReason: 'room_ended' },
      ],
    });
    expect(await get(`/v1/meetings/${ended}/playbacks`)).toMatchObject({ total: 1, playbacks: [{ state: 'ended' }] });
    expect(await get(`/v1/meetings/${ended}/broadcasts`)).toMatchObject({ total: 1, broadcasts: [{ state: 'ended' }] });
    expect(await get('/v1/domains')).toMatchObject({ domains: [{ domain: `${suffix}.example.com` }] });
    expect(await get('/v1/balance')).toMatchObject({ status: 200 });
  };

  it.each([
    ['the first', first, writeFirstData, { meetingMinutes: 100_000, recordingMinutes: 10_000 }],
    ['the one that counted lists first', lists, writeAll, { meetingMinutes: 99_940, recordingMinutes: 10_000 }],
    ['the one before this', released, writeAll, { meetingMinutes: 99_940, recordingMinutes: 10_000 }],
  ])('%s is brought up to date with all that is in it', async (_, time, write, sandbox) => {
    const { url, database } = await openAt(time);
    await write({ database, suffix: 'a', secretKey });
    const runs = await Promise.all([1, 2].map(() => bed.migrate(url)));
    expect(runs.map(run => run.length).sort((a, b) => a - b)).toEqual([0, allMigrations.length - upTo(time).length]);
    const gateway = await startTestGateway({ databaseUrl: url, config: { graceSeconds: 0.1, reconcileSeconds: 0.2 } });
    try {
      const get = reader(gateway, 'a');
      await expectFirstData(get, 'a');
      expect(await get('/v1/balance')).toMatchObject({ balance: { sandbox } });
      const keys = await database.query<{ kid: string }[]>('SELECT kid FROM signing_keys');
      const { kid } = await gateway.app.get(SigningKeysService, { strict: false }).signer();
      expect(keys).toEqual([{ kid }]);
      if (write === writeAll) {
        expect(await get('/v1/room/logs?kind=message')).toMatchObject({ status: 200, 0: { message: 'Hello' } });
        expect(await get('/v1/recordings?recordingID=rec_a')).toMatchObject({ recording: { state: 'failed' } });
      }
      // Its node is not there any more.
      await waitFor(
        async () => {
          const { externalSession } = await get('/v1/meetings/room_livea/external-sessions/ext_livea');
          return (externalSession as { state: string }).state === 'ended';
        },
        { timeoutMs: 20_000, what: 'the end of a session that no node has' },
      );
    } finally {
      await gateway.close();
    }
  });

  it('sums up the usage that a former version has not charged yet', async () => {
    const { url, database } = await openAt(released);
    await writeAll({ database, suffix: 'c', secretKey });
    await database.query(`
      INSERT INTO usage_intervals (account_id, key_type, meeting_id, resource_id, kind, started_at, metered_until, ended_at)
      SELECT 'acct_c', 'sandbox', 'room_livec', 'part_' || n, 'participant', at, at, CASE n WHEN 1 THEN at + interval '9 s' END
      FROM generate_series(1, 3) AS n, (SELECT timestamptz '2026-01-01' AS at) AS begun`);
    await bed.migrate(url);
    const begun = Date.parse('2026-01-01T00:00:00Z');
    expect(
      await database.query(`SELECT account_id, running::int, running_from_ms::float8 AS begun, ended_ms::int AS ended
        FROM unsettled_usage`),
    ).toEqual([{ account_id: 'acct_c', running: 2, begun: 2 * begun, ended: 9_000 }]);
  });

  it('takes what gateways of the version before this still write', async () => {
    const { url, database } = await openAt(released);
    await bed.migrate(url);
    await writeAll({ database, suffix: 'b', secretKey });
    const gateway = await startTestGateway({ databaseUrl: url });
    try {
      await expectFirstData(reader(gateway, 'b'), 'b');
    } finally {
      await gateway.close();
    }
  });

  it('loses no column that the version before this reads, and gains none that it would have to write', async () => {
    const { url, database } = await openAt(released);
    const columns = () =>
      database.query<{ name: string; type: string; optional: boolean }[]>(`
        SELECT table_name || '.' || column_name AS name, data_type AS type,
          is_nullable = 'YES' OR column_default IS NOT NULL OR is_identity = 'YES' AS optional
        FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1`);
    const before = await columns();
    await bed.migrate(url);
    const after = await columns();
    const required = await database.query<unknown[]>('SELECT 1 FROM schema_requirements');
    expect(required).toEqual([]);
    for (const { name, type } of before) expect(after).toContainEqual(expect.objectContaining({ name, type }));
    const tables = new Set(before.map(({ name }) => name.split('.')[0]));
    const isNew = ({ name }: { name: string }) => !before.some(each => each.name === name);
    const demanded = after.filter(each => isNew(each) && tables.has(each.name.split('.')[0]) && !each.optional);
    expect(demanded).toEqual([]);
  });
});
