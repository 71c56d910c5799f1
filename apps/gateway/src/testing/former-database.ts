import { defaultEventOptions } from '@rtms/contracts';
import { generateSigningKey } from '@rtms/tokens';
import type { DataSource } from 'typeorm';
import { deriveKey } from '../secrets/derive-key.js';
import { keyedHash } from '../secrets/keyed-hash.js';
import { sealedColumns } from '../secrets/sealed-columns.js';
import { SecretVault } from '../secrets/secret-vault.js';

/** One account's rows, written as the gateways of their time did; ids end in the suffix. */
export interface FormerData {
  database: DataSource;
  suffix: string;
  secretKey: Buffer;
}

/** An API key of the given suffix; 64 letters and digits. */
export function formerKey(suffix: string): string {
  return `Former${suffix}`.padEnd(64, 'x');
}

const accounts = `
INSERT INTO accounts (id, name, api_user_name) VALUES ('acct_@', 'Former', 'former@');
INSERT INTO account_features (account_id, feature, enabled) VALUES ('acct_@', 'hls', false);
INSERT INTO domains (id, account_id, domain) VALUES ('dom_@', 'acct_@', '@.example.com')`;

const rooms = `
INSERT INTO rooms (id, account_id, room_name, event_type, state, key_type, host_name, duration, capacity, settings, metadata,
  created_at, expires_at, ended_at, end_reason)
VALUES
  ('room_ended@', 'acct_@', 'Stage', 'webinar', 'ended', 'sandbox', 'Ann', 60, 20, $1, '{"show": 7}',
    now() - interval '3 days', now() - interval '2 days', now() - interval '60 hours', 'expired'),
  ('room_live@', 'acct_@', 'Stage', 'conference', 'active', 'sandbox', 'Bob', 60, 20, $1, '{}',
    now() - interval '1 minute', now() + interval '1 hour', NULL, NULL)`;

/** One ended with its room; one runs on a node that nobody will hear of again. */
const media = `
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
VALUES ('bcast_@', 'acct_@', 'room_ended@', 'ext_ended@', '["video"]', 'ended', '[]', now() - interval '3 days')`;

/** What came with participants, the ledger, logs and settings. */
const later = `
INSERT INTO participants (id, account_id, meeting_id, user_name, role, state, joined_at, left_at, leave_reason)
VALUES ('part_@', 'acct_@', 'room_ended@', 'Ann', 'host', 'left', now() - interval '3 days', now() - interval '60 hours', 'left');
INSERT INTO recordings (id, account_id, meeting_id, source_session_id, state, created_at, ended_at, size_bytes, format)
VALUES ('rec_@', 'acct_@', 'room_ended@', 'ext_ended@', 'failed', now() - interval '3 days', now() - interval '60 hours', NULL, NULL);
INSERT INTO room_messages (id, account_id, meeting_id, sender_id, message, created_at)
VALUES ('msg_@', 'acct_@', 'room_ended@', 'part_@', 'Hello', now() - interval '3 days');
INSERT INTO usage_intervals (account_id, key_type, meeting_id, resource_id, kind, started_at, ended_at, metered_until, settled)
VALUES ('acct_@', 'sandbox', 'room_ended@', 'part_@', 'participant', now() - interval '70 hours', now() - interval '69 hours',
  now() - interval '69 hours', true);
UPDATE balances SET meeting_ms = meeting_ms - 3600000 WHERE account_id = 'acct_@' AND key_type = 'sandbox';
INSERT INTO deleted_records (account_id, id) VALUES ('acct_@', 'dom_gone@')`;

/** As the first gateways had it: nothing but the tables of the first migration. */
export async function writeFirstData({ database, suffix, secretKey }: FormerData): Promise<void> {
  await run(database, suffix, accounts);
  const hash = keyedHash(deriveKey(secretKey, 'api-key-hash'), formerKey(suffix));
  const keyStatement = `INSERT INTO api_keys (id, account_id, type, hash, masked_key) VALUES ($1, $2, 'sandbox', $3, 'FormerXX')`;
  await database.query(keyStatement, [`key_${suffix}`, `acct_${suffix}`, hash]);
  await database.query(rooms.replaceAll('@', suffix), [defaultEventOptions('conference')]);
  await run(database, suffix, media);
  await writeSigningKey(database, secretKey);
}

/** What gateways wrote before members published, recordings had files and the dashboard had users. */
export async function writeLaterData({ database, suffix }: FormerData): Promise<void> {
  await run(database, suffix, later);
}

async function writeSigningKey(database: DataSource, secretKey: Buffer): Promise<void> {
  const { kid, publicJwk, privateJwk } = await generateSigningKey();
  const sealed = new SecretVault({ secretKey }).seal(sealedColumns.signingKey, kid, JSON.stringify(privateJwk));
  const statement = `
INSERT INTO signing_keys (kid, public_jwk, encrypted_private_jwk, created_at) VALUES ($1, $2, $3, now() - interval '9 days')`;
  await database.query(statement, [kid, publicJwk, sealed]);
}

async function run(database: DataSource, suffix: string, statements: string): Promise<void> {
  for (const statement of statements.split(';\n')) await database.query(statement.replaceAll('@', suffix));
}
