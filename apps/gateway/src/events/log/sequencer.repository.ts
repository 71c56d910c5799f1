import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { lockNumbers } from '../../platform/database/advisory-locks.service.js';
import type { KeyType } from '../../platform/auth/caller.js';
import type { AccountEvent } from './account-event.js';
import { notedKinds, type NotedChange } from './decide-events.js';

/** A row of the outbox. */
export interface OutboxRow extends NotedChange {
  /** A bigint. */
  id: string;
  accountID: string;
  requestID: string | null;
  at: Date;
}

/** A portion takes about 50 ms and a few MB. */
const rowsAtOnce = 1_000;
export const accountsAtOnce = 50;

/** Each account of a portion gets an equal part. */
export function rowsPerAccount(accounts: number): number {
  return Math.max(1, Math.floor(rowsAtOnce / accounts));
}

/** The end of the transaction releases the lock, however it ends. So no row can be taken twice. */
const lockStatement = `SELECT pg_try_advisory_xact_lock(${lockNumbers.events}) AS locked`;

/** Walks the index from account to account, so that the rows of one account do not hide the others. */
const accountsStatement = `
WITH RECURSIVE waiting (account_id, n) AS (
    (SELECT account_id, 1 FROM event_outbox WHERE account_id > $1 AND kind = ANY($2) ORDER BY account_id LIMIT 1)
  UNION ALL
    SELECT following.account_id, n + 1 FROM waiting, LATERAL (
      SELECT account_id FROM event_outbox o WHERE o.account_id > waiting.account_id AND kind = ANY($2)
      ORDER BY account_id LIMIT 1) AS following
    WHERE n < $3
  )
SELECT account_id AS "accountID", a.id IS NOT NULL AS "exists" FROM waiting LEFT JOIN accounts a ON a.id = account_id ORDER BY 1`;

const rowsStatement = `
SELECT o.id, o.account_id AS "accountID", o.kind, o.resource_id AS "resourceID", o.before, o.after,
  o.request_id AS "requestID", o.at
FROM unnest($1::text[]) AS wanted (account_id), LATERAL (
  SELECT * FROM event_outbox waiting WHERE waiting.account_id = wanted.account_id AND kind = ANY($2)
  ORDER BY waiting.id LIMIT $3) AS o
ORDER BY o.account_id, o.id`;

const environmentsStatement = 'SELECT id, key_type AS "keyType" FROM rooms WHERE id = ANY($1)';

/** Creates or raises the counters, in the order of the accounts. */
const numbersStatement = `
INSERT INTO event_counters AS kept (account_id, last_sequence)
SELECT * FROM unnest($1::text[], $2::bigint[]) AS added (account_id, count) ORDER BY account_id
ON CONFLICT (account_id) DO UPDATE SET last_sequence = kept.last_sequence + excluded.last_sequence
RETURNING kept.account_id AS "accountID", kept.last_sequence::float8 AS last`;

const insertStatement = `
INSERT INTO account_events (account_id, sequence, id, type, created_at, meeting_id, key_type, resource_kind, resource_id, data,
  request_id)
SELECT account_id, sequence, id, type, created_at, meeting_id, key_type, resource_kind, resource_id, data, request_id
FROM jsonb_to_recordset($1::jsonb) AS added (account_id text, sequence bigint, id text, type text, created_at timestamptz,
  meeting_id text, key_type text, resource_kind text, resource_id text, data jsonb, request_id text)`;

const deleteStatement = `
DELETE FROM event_outbox USING unnest($1::text[], $2::bigint[]) AS done (account_id, id)
WHERE event_outbox.account_id = done.account_id AND event_outbox.id = done.id`;

const dropStatement = `
DELETE FROM event_outbox WHERE (account_id, id) IN (
  SELECT account_id, id FROM event_outbox WHERE account_id = ANY($1) LIMIT ${rowsAtOnce})`;

/** A sample bounds the time of the query. The first rows of the table are usually the oldest. */
const oldestStatement = `SELECT min(at) AS at FROM (SELECT at FROM event_outbox WHERE kind = ANY($1) LIMIT 1000) AS sample`;

interface WaitingAccount {
  accountID: string;
  /** False: the account is removed. */
  exists: boolean;
}

/** The statements of the sequencer, all inside one transaction of a portion. */
@Injectable()
export class SequencerRepository {
  /** Returns false while another gateway sequences. */
  async lock(manager: EntityManager): Promise<boolean> {
    const [row] = await manager.query<{ locked: boolean }[]>(lockStatement);
    return row?.locked === true;
  }

  /** Returns accounts with waiting rows that follow the given account, in the order of their IDs. */
  listWaitingAccounts(manager: EntityManager, after: string): Promise<WaitingAccount[]> {
    return manager.query(accountsStatement, [after, notedKinds, accountsAtOnce]);
  }

  /** Returns the oldest waiting rows of each account, in order, at most `rowsAtOnce` of all. */
  readRows(manager: EntityManager, accountIDs: readonly string[]): Promise<OutboxRow[]> {
    return manager.query(rowsStatement, [accountIDs, notedKinds, rowsPerAccount(accountIDs.length)]);
  }

  async readEnvironments(manager: EntityManager, meetingIDs: readonly string[]): Promise<Map<string, KeyType>> {
    if (meetingIDs.length === 0) return new Map();
    const rows = await manager.query<{ id: string; keyType: KeyType }[]>(environmentsStatement, [meetingIDs]);
    return new Map(rows.map(({ id, keyType }) => [id, keyType]));
  }

  /** Reserves numbers for the events of each account. Returns the last number of each account before them. */
  async reserve(manager: EntityManager, counts: ReadonlyMap<string, number>): Promise<Map<string, number>> {
    const rows = await manager.query<{ accountID: string; last: number }[]>(numbersStatement, [
      [...counts.keys()],
      [...counts.values()],
    ]);
    return new Map(rows.map(({ accountID, last }) => [accountID, last - (counts.get(accountID) ?? 0)]));
  }

  async append(manager: EntityManager, events: readonly AccountEvent[]): Promise<void> {
    const rows = events.map(event => ({
      ...{ account_id: event.accountID, sequence: event.sequence, id: event.eventID, type: event.type },
      ...{ created_at: event.createdAt, meeting_id: event.meetingID, key_type: event.keyType, data: event.data },
      ...{ resource_kind: event.resource.kind, resource_id: event.resource.id, request_id: event.requestID },
    }));
    await manager.query(insertStatement, [JSON.stringify(rows)]);
  }

  async deleteRows(manager: EntityManager, rows: readonly OutboxRow[]): Promise<void> {
    await manager.query(deleteStatement, [rows.map(({ accountID }) => accountID), rows.map(({ id }) => id)]);
  }

  /** The time of the oldest waiting row, or of one of the oldest among very many. */
  async readOldest(manager: EntityManager): Promise<Date | null> {
    const [row] = await manager.query<{ at: Date | null }[]>(oldestStatement, [notedKinds]);
    return row?.at ?? null;
  }

  /** Deletes up to `rowsAtOnce` rows of removed accounts. */
  async drop(manager: EntityManager, accountIDs: readonly string[]): Promise<void> {
    await manager.query(dropStatement, [accountIDs]);
  }
}
