import type { RetentionPeriods } from './retention-periods.js';

/** Takes up to `batch` rows that were over before `$1`; each finds them by an index. */
interface RetentionRule {
  name: string;
  daysOf: (periods: RetentionPeriods) => number;
  batch: number;
  statement: string;
}

/** A room takes all with it that was in it, which may be thousands of rows. */
const roomsAtOnce = 20;
const rowsAtOnce = 1000;

/** A room stays while a recording of it has a file, or may come to have one. */
const rooms = `
DELETE FROM rooms WHERE id = ANY(ARRAY(
  SELECT id FROM rooms WHERE state = 'ended' AND ended_at < $1 AND NOT EXISTS (
    SELECT 1 FROM recordings c WHERE c.meeting_id = rooms.id
      AND (c.storage IS NOT NULL OR c.state IN ('starting', 'recording', 'processing')))
  ORDER BY ended_at LIMIT ${roomsAtOnce} FOR UPDATE SKIP LOCKED))
RETURNING id`;

/** Keys that expired or were revoked; `more` narrows them further. A key that is in use waits for the next run. */
function endedKeys(table: string, more = ''): string {
  return `
DELETE FROM ${table} WHERE id = ANY(ARRAY(
  SELECT id FROM ${table} ended WHERE LEAST(revoked_at, expires_at) < $1 ${more}
  ORDER BY LEAST(revoked_at, expires_at) LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED))
RETURNING id`;
}

/** Keys that a key has made go with it: it stays for as long as they do. */
const withoutChildren = `AND NOT EXISTS (SELECT 1 FROM disposable_keys made WHERE made.created_by_key_id = ended.id)`;

function older(table: string, column: string, more = ''): string {
  return `
DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM ${table} WHERE ${column} < $1 ${more} ORDER BY ${column} LIMIT ${rowsAtOnce}))
RETURNING 1`;
}

/** Of each account, and of the platform itself. */
const keptAuditEntries = 100_000;

/** Deletes the oldest entries of an account that has more than it may; `$1` is a time that is not read. */
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

/** Their files go first, by the way of all files whose time is over: nothing else knows where a file is. */
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

/** All that is left refers to the account, and goes with it. */
const accounts = `
DELETE FROM accounts WHERE id = (
  SELECT id FROM accounts WHERE deleted_at < $1
    AND NOT EXISTS (SELECT 1 FROM rooms WHERE rooms.account_id = accounts.id)
    AND NOT EXISTS (SELECT 1 FROM usage_intervals used WHERE used.account_id = accounts.id)
  LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING id`;

/** No verifier takes what was signed with a key that was retired so long ago, see `overlapMs`. */
const signingKeyDays = 30;

function rule(name: string, daysOf: RetentionRule['daysOf'], statement: string, batch = rowsAtOnce): RetentionRule {
  return { name, daysOf, statement, batch };
}

export const retentionRules: readonly RetentionRule[] = [
  rule('filesOfAccounts', periods => periods.accounts, filesOfAccounts),
  rule('roomsOfAccounts', periods => periods.accounts, roomsOfAccounts, roomsAtOnce),
  rule('usageOfAccounts', periods => periods.accounts, usageOfAccounts),
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
  rule('signingKeys', () => signingKeyDays, older('signing_keys', 'retired_at')),
];
