import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { whereRunning } from '../../platform/rows/live-states.js';
import { keyTypes, type KeyType } from '../../platform/auth/caller.js';
import { SharedReads } from '../../platform/jobs/shared-reads.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';

const minuteMs = 60_000;

/** The time that an account has left, in milliseconds. */
export interface Remaining {
  meetingMs: number;
  recordingMs: number;
}

/** New balances in whole minutes. An omitted balance does not change. */
export interface MinutesChange {
  meetingMinutes?: number | null | undefined;
  recordingMinutes?: number | null | undefined;
}

/**
 * The uncharged usage in milliseconds, from the sums that triggers keep. `$1` is the time, `b` the balance. A clock that is behind
 * the last charge adds no negative usage.
 */
const unsettled = (recording: boolean): string => `
COALESCE((SELECT GREATEST(sum(u.running) * EXTRACT(EPOCH FROM $1::timestamptz) * 1000 - sum(u.running_from_ms), 0) + sum(u.ended_ms)
  FROM unsettled_usage u
  WHERE u.account_id = b.account_id AND u.key_type = b.key_type AND u.recording = ${recording}), 0)`;
const unsettledMeeting = unsettled(false);
const unsettledRecording = unsettled(true);

const readStatement = `
SELECT b.key_type AS "keyType", (b.meeting_ms - ${unsettledMeeting})::float8 AS "meetingMs",
  (b.recording_ms - ${unsettledRecording})::float8 AS "recordingMs"
FROM balances b WHERE b.account_id = $2`;

/** Rows of open transactions wait for the next fold. */
const foldStatement = `
WITH folded AS (DELETE FROM unsettled_usage RETURNING *)
INSERT INTO unsettled_usage (account_id, key_type, recording, running, running_from_ms, ended_ms)
SELECT account_id, key_type, recording, sum(running), sum(running_from_ms), sum(ended_ms) FROM folded
GROUP BY 1, 2, 3 HAVING sum(running) <> 0 OR sum(running_from_ms) <> 0 OR sum(ended_ms) <> 0`;

const lockStatement = 'SELECT 1 FROM balances WHERE account_id = $1 AND key_type = $2 FOR UPDATE';

/** Usage that is uncharged now is charged later, so the new balance includes it. */
const setStatement = `
UPDATE balances b SET
  meeting_ms = CASE WHEN $4::float8 IS NULL THEN b.meeting_ms ELSE ($4 + ${unsettledMeeting})::bigint END,
  recording_ms = CASE WHEN $5::float8 IS NULL THEN b.recording_ms ELSE ($5 + ${unsettledRecording})::bigint END
WHERE b.account_id = $2 AND b.key_type = $3`;

const anyExhausted = `
SELECT 1 FROM balances b
WHERE (b.account_id, b.key_type) IN (SELECT account_id, key_type FROM unsettled_usage)
  AND (b.meeting_ms - ${unsettledMeeting} <= 0 OR b.recording_ms - ${unsettledRecording} <= 0) LIMIT 1`;

const exhaustedRooms = `
SELECT r.id FROM rooms r JOIN balances b ON b.account_id = r.account_id AND b.key_type = r.key_type
WHERE r.state = 'active' AND b.meeting_ms <= 0`;

const exhaustedRecordings = `
SELECT c.id FROM recordings c JOIN rooms r ON r.id = c.meeting_id
JOIN balances b ON b.account_id = r.account_id AND b.key_type = r.key_type
WHERE ${whereRunning('c')} AND b.recording_ms <= 0`;

/** The minutes of accounts. A balance that is read excludes all usage up to now, charged or not. */
@Injectable()
export class BalancesRepository {
  private readonly reads = new SharedReads<Record<KeyType, Remaining>>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  read(accountID: string): Promise<Readonly<Record<KeyType, Remaining>>> {
    return this.reads.read(accountID, () => this.readAll(accountID));
  }

  private async readAll(accountID: string): Promise<Record<KeyType, Remaining>> {
    const rows = await this.dataSource.query<(Remaining & { keyType: KeyType })[]>(readStatement, [
      new Date(this.clock.now()),
      accountID,
    ]);
    const of = (type: KeyType) => rows.find(row => row.keyType === type) ?? { meetingMs: 0, recordingMs: 0 };
    return Object.fromEntries(keyTypes.map(type => [type, of(type)])) as Record<KeyType, Remaining>;
  }

  /** Throws FORBIDDEN, `balance_exhausted`, when no meeting minutes are left. */
  async requireMeetingTime(accountID: string, keyType: KeyType): Promise<void> {
    requireMeetingTime((await this.read(accountID))[keyType], keyType);
  }

  /** Throws FORBIDDEN, `balance_exhausted`, when no recording minutes are left. */
  async requireRecordingTime(accountID: string, keyType: KeyType): Promise<void> {
    const { recordingMs } = (await this.read(accountID))[keyType];
    if (recordingMs <= 0) throw exhausted('recording', keyType);
  }

  async set(accountID: string, keyType: KeyType, change: MinutesChange): Promise<void> {
    const [meetingMs, recordingMs] = [change.meetingMinutes, change.recordingMinutes].map(minutes =>
      minutes === undefined || minutes === null ? null : minutes * minuteMs,
    );
    await this.dataSource.transaction(async manager => {
      // A statement that starts under the lock sees the charges of a settlement that has just committed.
      await manager.query(lockStatement, [accountID, keyType]);
      await manager.query(setStatement, [new Date(this.clock.now()), accountID, keyType, meetingMs, recordingMs]);
    });
  }

  /** Adds up the rows that triggers wrote, so that reading a balance stays fast. */
  async fold(): Promise<void> {
    await this.dataSource.query(foldStatement);
  }

  /** Returns whether running usage, settled or not, has used up a balance of its account. */
  async isAnyExhausted(now: Date): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(anyExhausted, [now]);
    return rows.length > 0;
  }

  /** Returns active rooms whose accounts have no settled meeting time left. */
  listExhaustedRooms(): Promise<{ id: string }[]> {
    return this.dataSource.query(exhaustedRooms);
  }

  /** Returns running recordings whose accounts have no settled recording time left. */
  listExhaustedRecordings(): Promise<{ id: string }[]> {
    return this.dataSource.query(exhaustedRecordings);
  }
}

/** Throws FORBIDDEN, `balance_exhausted`, when no meeting minutes are left. */
export function requireMeetingTime({ meetingMs }: Remaining, keyType: KeyType): void {
  if (meetingMs <= 0) throw exhausted('meeting', keyType);
}

function exhausted(kind: 'meeting' | 'recording', keyType: KeyType): ServiceError {
  return new ServiceError('balance_exhausted', `The account's ${keyType} ${kind} minutes are used up.`);
}
