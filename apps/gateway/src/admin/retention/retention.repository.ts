import type { DataSource } from 'typeorm';
import type { RetentionPeriods } from './retention-periods.js';

/** Deletes up to `batch` rows that ended before `$1`, found by an index. */
export interface RetentionRule {
  name: string;
  daysOf: (periods: RetentionPeriods) => number;
  batch: number;
  statement: string;
}

/** Deleting a room cascades to everything in it, which may be thousands of rows. */
const roomsAtOnce = 20;
const rowsAtOnce = 1000;

/** 500 batches in ten minutes are 500,000 rows a minute: ten full nodes write 50,000. */
const viewerSamplesAtOnce = 10_000;

/** A room stays while one of its recordings has a file or may get one. */
const rooms = `
DELETE FROM rooms WHERE id = ANY(ARRAY(
  SELECT id FROM rooms WHERE state = 'ended' AND ended_at < $1 AND NOT EXISTS (
    SELECT 1 FROM recordings c WHERE c.meeting_id = rooms.id
      AND (c.storage IS NOT NULL OR c.state IN ('starting', 'recording', 'processing')))
  ORDER BY ended_at LIMIT ${roomsAtOnce} FOR UPDATE SKIP LOCKED))
RETURNING id`;

/** Keys that expired or were revoked. `more` adds conditions. A locked key waits for the next run. */
function endedKeys(table: string, more = ''): string {
  return `
DELETE FROM ${table} WHERE id = ANY(ARRAY(
  SELECT id FROM ${table} ended WHERE LEAST(revoked_at, expires_at) < $1 ${more}
  ORDER BY LEAST(revoked_at, expires_at) LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED))
RETURNING id`;
}

/** Deleting a key cascades to the keys that it created, so it stays until they are gone. */
const withoutChildren = `AND NOT EXISTS (SELECT 1 FROM disposable_keys made WHERE made.created_by_key_id = ended.id)`;

function older(table: string, column: string, more = '', batch = rowsAtOnce): string {
  return `
DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM ${table} WHERE ${column} < $1 ${more} ORDER BY ${column} LIMIT ${batch}))
RETURNING 1`;
}

/** The most entries of an account, and of the platform itself. */
const keptAuditEntries = 100_000;

/** Deletes the oldest entries above the limit of an account. It ignores `$1`. */
const auditOverflow = `
DELETE FROM audit_entries WHERE $1::timestamptz IS NOT NULL AND number = ANY(ARRAY(
  SELECT over.number FROM (
    SELECT account_id FROM audit_entries GROUP BY account_id HAVING count(*) > ${keptAuditEntries}) AS full_accounts,
  LATERAL (
    SELECT number FROM audit_entries entry WHERE entry.account_id IS NOT DISTINCT FROM full_accounts.account_id
    ORDER BY number DESC OFFSET ${keptAuditEntries}) AS over
  LIMIT ${rowsAtOnce}))
RETURNING 1`;

const deletedAccounts = 'SELECT id FROM accounts WHERE deleted_at < $1';

/** Expires the recordings first, so that their files are deleted. Only the recording's row knows where its file is. */
const filesOfAccounts = `
UPDATE recordings SET expires_at = $1 WHERE id = ANY(ARRAY(
  SELECT id FROM recordings WHERE account_id IN (${deletedAccounts}) AND storage IS NOT NULL
    AND (expires_at IS NULL OR expires_at > $1) LIMIT ${rowsAtOnce}))
RETURNING id`;

const roomsOfAccounts = `
DELETE FROM rooms WHERE id = ANY(ARRAY(
  SELECT id FROM rooms WHERE account_id IN (${deletedAccounts}) AND state = 'ended' AND NOT EXISTS (
    SELECT 1 FROM recordings c WHERE c.meeting_id = rooms.id
      AND (c.storage IS NOT NULL OR c.state IN ('starting', 'recording', 'processing')))
  LIMIT ${roomsAtOnce} FOR UPDATE SKIP LOCKED))
RETURNING id`;

const usageOfAccounts = `
DELETE FROM usage_intervals WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM usage_intervals WHERE account_id IN (${deletedAccounts}) LIMIT ${rowsAtOnce}))
RETURNING 1`;

const eventsOfAccounts = `
DELETE FROM account_events WHERE (account_id, sequence) IN (
  SELECT account_id, sequence FROM account_events WHERE account_id IN (${deletedAccounts}) LIMIT ${rowsAtOnce})
RETURNING 1`;

/** Also those of deleted webhooks. */
const deliveriesOfAccounts = `
DELETE FROM webhook_deliveries WHERE (webhook_id, number) IN (
  SELECT webhook_id, number FROM webhook_deliveries WHERE account_id IN (${deletedAccounts}) LIMIT ${rowsAtOnce})
RETURNING 1`;

/** Everything else refers to the account, so the deletion cascades to it. */
const accounts = `
DELETE FROM accounts WHERE id = (
  SELECT id FROM accounts WHERE deleted_at < $1
    AND NOT EXISTS (SELECT 1 FROM rooms WHERE rooms.account_id = accounts.id)
    AND NOT EXISTS (SELECT 1 FROM usage_intervals used WHERE used.account_id = accounts.id)
    AND NOT EXISTS (SELECT 1 FROM account_events event WHERE event.account_id = accounts.id)
    AND NOT EXISTS (SELECT 1 FROM webhook_deliveries delivery WHERE delivery.account_id = accounts.id)
  LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING id`;

/** No verifier accepts a signature of a key that was retired longer ago, see `overlapMs`. */
const signingKeyDays = 30;

/** A session lasts a day at most, so its samples stay for a day after its end. */
const sampleDays = 2;

/** Samples of viewers show a fault of today: a node stores up to 5,000 rows of them a minute. */
const viewerSampleDays = 1;

function rule(name: string, daysOf: RetentionRule['daysOf'], statement: string, batch = rowsAtOnce): RetentionRule {
  return { name, daysOf, statement, batch };
}

export const retentionRules: readonly RetentionRule[] = [
  rule('filesOfAccounts', periods => periods.accounts, filesOfAccounts),
  rule('roomsOfAccounts', periods => periods.accounts, roomsOfAccounts, roomsAtOnce),
  rule('usageOfAccounts', periods => periods.accounts, usageOfAccounts),
  rule('eventsOfAccounts', periods => periods.accounts, eventsOfAccounts),
  rule('deliveriesOfAccounts', periods => periods.accounts, deliveriesOfAccounts),
  rule('accounts', periods => periods.accounts, accounts, 1),
  rule('messages', periods => periods.messages, older('room_messages', 'created_at')),
  rule('calls', periods => periods.calls, older('sip_calls', 'created_at', 'AND ended_at IS NOT NULL')),
  rule('rooms', periods => periods.rooms, rooms, roomsAtOnce),
  rule('usage', periods => periods.usage, older('usage_intervals', 'ended_at', 'AND settled')),
  rule('disposableKeys', periods => periods.keys, endedKeys('disposable_keys', withoutChildren)),
  rule('apiKeys', periods => periods.keys, endedKeys('api_keys')),
  rule('deletedRecords', periods => periods.deletedRecords, older('deleted_records', 'deleted_at')),
  rule('audit', periods => periods.audit, older('audit_entries', 'at')),
  rule('auditOverflow', () => 1, auditOverflow),
  rule('events', periods => periods.events, older('account_events', 'created_at')),
  rule('webhookDeliveries', periods => periods.webhookDeliveries, older('webhook_deliveries', 'finished_at')),
  rule('sessionSamples', () => sampleDays, older('session_samples', 'minute')),
  rule(
    'viewerSamples',
    () => viewerSampleDays,
    older('viewer_samples', 'minute', '', viewerSamplesAtOnce),
    viewerSamplesAtOnce,
  ),
  rule(
    'hlsViewerSamples',
    () => viewerSampleDays,
    older('hls_viewer_samples', 'minute', '', viewerSamplesAtOnce),
    viewerSamplesAtOnce,
  ),
  rule('signingKeys', () => signingKeyDays, older('signing_keys', 'retired_at')),
];

/** Applies a rule to one batch and returns the number of its rows. */
export async function applyRule(dataSource: DataSource, { statement }: RetentionRule, before: Date): Promise<number> {
  const [rows] = await dataSource.query<[unknown[], number]>(statement, [before]);
  return rows.length;
}
