import { defaultEventOptions } from '@rtms/contracts';
import { waitFor } from '@rtms/testing';
import { generateSigningKey } from '@rtms/tokens';
import type { DataSource } from 'typeorm';
import { SigningKeysService } from '../../accounts/signing-keys/signing-keys.service.js';
import { nextMigrations, SchemaTestBed } from '../../testing/schema-test-bed.js';
import { startTestGateway, testConfig, type TestGateway } from '../../testing/start-test-gateway.js';
import { deriveKey, keyedHash } from '../secrets/cryptography.js';
import { sealedColumns } from '../secrets/sealed-columns.js';
import { SecretVault } from '../secrets/secret-vault.js';
import { Initial1795398467912 } from './migrations/1795398467912-initial.js';

const { secretKey } = testConfig('');

/** The schema that gateways of the first release write. */
const released = [Initial1795398467912];

/** Rows of one account as gateways of the first release write them. `@` is the account. */
const releasedRows = `
INSERT INTO accounts (id, name, api_user_name) VALUES ('acct_@', 'Former', 'former@');
INSERT INTO account_features (account_id, feature, enabled) VALUES ('acct_@', 'hls', false);
INSERT INTO domains (id, account_id, domain) VALUES ('dom_@', 'acct_@', '@.example.com');
INSERT INTO rooms (id, account_id, room_name, event_type, state, key_type, host_name, duration, capacity, settings, metadata,
  created_at, expires_at, ended_at, end_reason)
VALUES
  ('room_ended@', 'acct_@', 'Stage', 'webinar', 'ended', 'sandbox', 'Ann', 60, 20, '${JSON.stringify(defaultEventOptions('webinar'))}',
    '{"show": 7}', now() - interval '3 days', now() - interval '2 days', now() - interval '60 hours', 'expired'),
  ('room_live@', 'acct_@', 'Stage', 'conference', 'active', 'sandbox', 'Bob', 60, 20,
    '${JSON.stringify(defaultEventOptions('conference'))}', '{}', now() - interval '1 minute', now() + interval '1 hour', NULL, NULL);
INSERT INTO external_sessions (id, account_id, meeting_id, participant_id, display_name, protocol, requested_tracks, state, tracks,
  node_id, node_epoch, fact_sequence, created_at, activated_at, ended_at, end_reason)
VALUES
  ('ext_ended@', 'acct_@', 'room_ended@', 'part_e@', 'Camera', 'whip', '["video"]', 'ended',
    '[{"trackID": "trk_1", "kind": "video", "codec": "H264", "state": "ended"}]', 'sfu-1', 1, 2, now() - interval '3 days',
    now() - interval '3 days', now() - interval '60 hours', 'room_ended'),
  ('ext_live@', 'acct_@', 'room_live@', 'part_l@', 'Camera', 'whip', '["video"]', 'active',
    '[{"trackID": "trk_2", "kind": "video", "codec": "VP8", "state": "live"}]', 'sfu-1', 1, 1, now(), now(), NULL, NULL);
INSERT INTO playbacks (id, account_id, meeting_id, source_session_id, tracks, state, node_id, node_epoch)
VALUES ('play_@', 'acct_@', 'room_ended@', 'ext_ended@', '["video"]', 'ended', 'sfu-1', 1);
INSERT INTO broadcasts (id, account_id, meeting_id, source_session_id, tracks, state, renditions, created_at)
VALUES ('bcast_@', 'acct_@', 'room_ended@', 'ext_ended@', '["video"]', 'ended', '[]', now() - interval '3 days');
INSERT INTO participants (id, account_id, meeting_id, user_name, role, state, joined_at, left_at, leave_reason)
VALUES ('part_@', 'acct_@', 'room_ended@', 'Ann', 'host', 'left', now() - interval '3 days', now() - interval '60 hours', 'left');
INSERT INTO recordings (id, account_id, meeting_id, source_session_id, state, created_at, ended_at)
VALUES ('rec_@', 'acct_@', 'room_ended@', 'ext_ended@', 'failed', now() - interval '3 days', now() - interval '60 hours');
INSERT INTO room_messages (id, account_id, meeting_id, sender_id, message, created_at)
VALUES ('msg_@', 'acct_@', 'room_ended@', 'part_@', 'Hello', now() - interval '3 days');
INSERT INTO usage_intervals (account_id, key_type, meeting_id, resource_id, kind, started_at, ended_at, metered_until, settled)
VALUES ('acct_@', 'sandbox', 'room_ended@', 'part_@', 'participant', now() - interval '70 hours', now() - interval '69 hours',
  now() - interval '69 hours', true);
UPDATE balances SET meeting_ms = meeting_ms - 3600000 WHERE account_id = 'acct_@' AND key_type = 'sandbox';
INSERT INTO deleted_records (account_id, id) VALUES ('acct_@', 'dom_gone@')`;

const apiKeyOf = (account: string) => `Former${account}`.padEnd(64, 'x');

async function writeReleasedRows(database: DataSource, account: string): Promise<void> {
  await database.query(releasedRows.replaceAll('@', account));
  const hash = keyedHash(deriveKey(secretKey, 'api-key-hash'), apiKeyOf(account));
  const statement = `INSERT INTO api_keys (id, account_id, type, hash, masked_key) VALUES ($1, $2, 'sandbox', $3, 'FormerXX…xxxx')`;
  await database.query(statement, [`key_${account}`, `acct_${account}`, hash]);
}

/** Returns the `kid`. */
async function writeSigningKey(database: DataSource): Promise<string> {
  const { kid, publicJwk, privateJwk } = await generateSigningKey();
  const sealed = new SecretVault({ secretKey }).seal(sealedColumns.signingKey, kid, JSON.stringify(privateJwk));
  const statement = `
INSERT INTO signing_keys (kid, public_jwk, encrypted_private_jwk, created_at) VALUES ($1, $2, $3, now() - interval '9 days')`;
  await database.query(statement, [kid, publicJwk, sealed]);
  return kid;
}

function columnsOf(database: DataSource): Promise<{ name: string; type: string; isOptional: boolean }[]> {
  return database.query(`
SELECT table_name || '.' || column_name AS name, data_type AS type,
  is_nullable = 'YES' OR column_default IS NOT NULL OR is_identity = 'YES' AS "isOptional"
FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1`);
}

describe('an upgrade of a released database', () => {
  let bed: SchemaTestBed;
  let url: string;
  let database: DataSource;

  beforeAll(async () => {
    bed = await SchemaTestBed.start();
  });
  beforeEach(async () => {
    url = await bed.createDatabase();
    await bed.migrate(url, { migrations: released });
    database = await bed.open(url);
  });
  afterEach(() => bed.closeOpened());
  afterAll(() => bed?.close());

  const upgrade = () => bed.migrate(url, { migrations: nextMigrations });
  const reader = (gateway: TestGateway, account: string) => async (path: string) => {
    const credential = `Bearer former${account}:${apiKeyOf(account)}`;
    const { status, body } = await gateway.http.get(path).set('Authorization', credential);
    return { status, ...(body as Record<string, never>) } as Record<string, unknown>;
  };

  const expectReleasedRows = async (get: (path: string) => Promise<Record<string, unknown>>, account: string) => {
    const ended = `room_ended${account}`;
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
    expect(await get('/v1/domains')).toMatchObject({ domains: [{ domain: `${account}.example.com` }] });
    const sandbox = { meetingMinutes: 99_940, recordingMinutes: 10_000 };
    expect(await get('/v1/balance')).toMatchObject({ status: 200, balance: { sandbox } });
    expect(await get('/v1/room/logs?kind=message')).toMatchObject({ status: 200, 0: { message: 'Hello' } });
    expect(await get(`/v1/recordings?recordingID=rec_${account}`)).toMatchObject({ recording: { state: 'failed' } });
    // Its node does not exist any more.
    await waitFor(
      async () => {
        const { externalSession } = await get(`/v1/meetings/room_live${account}/external-sessions/ext_live${account}`);
        return (externalSession as { state: string }).state === 'ended';
      },
      { what: 'the end of a session that no node has' },
    );
  };

  it('keeps old rows and accepts rows from gateways of the release', async () => {
    await writeReleasedRows(database, 'before');
    const kid = await writeSigningKey(database);
    const runs = await Promise.all([upgrade(), upgrade()]);
    expect(runs.map(run => run.length).sort((a, b) => a - b)).toEqual([0, nextMigrations.length - released.length]);
    await writeReleasedRows(database, 'after');
    const gateway = await startTestGateway({ databaseUrl: url, config: { graceSeconds: 0.1, reconcileSeconds: 0.2 } });
    try {
      for (const account of ['before', 'after']) await expectReleasedRows(reader(gateway, account), account);
      expect((await gateway.app.get(SigningKeysService, { strict: false }).signer()).kid).toBe(kid);
      expect(await database.query('SELECT kid FROM signing_keys')).toEqual([{ kid }]);
    } finally {
      await gateway.close();
    }
  });

  it('keeps every column that the release reads and requires no new column', async () => {
    const before = await columnsOf(database);
    await upgrade();
    const after = await columnsOf(database);
    expect(await database.query('SELECT 1 FROM schema_requirements')).toEqual([]);
    for (const { name, type } of before) expect(after).toContainEqual(expect.objectContaining({ name, type }));
    const tables = new Set(before.map(({ name }) => name.split('.')[0]));
    const isNew = ({ name }: { name: string }) => !before.some(each => each.name === name);
    expect(after.filter(each => isNew(each) && tables.has(each.name.split('.')[0]) && !each.isOptional)).toEqual([]);
  });
});
