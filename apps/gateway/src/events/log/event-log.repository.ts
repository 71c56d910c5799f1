import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { KeyType } from '../../platform/auth/caller.js';
import type { AccountEvent } from './account-event.js';
import type { AccountEventType } from './event-types.js';

/** The log of an account without events. */
const noCounters = { last: 0, firstKept: 1 };
/** The most events that one statement looks at, so that a rare type costs a bounded time. */
const lookedAtOnce = 10_000;

export interface EventFilter {
  accountID: string;
  environments: readonly KeyType[];
  /** null: any. */
  types: readonly AccountEventType[] | null;
  /** null: any. */
  meetingID: string | null;
}

/** The sequences at the two ends of a log. */
export interface LogEnds {
  last: number;
  /** The oldest event that retention has left, or the next event. */
  firstKept: number;
}

interface ReadEvents extends LogEnds {
  events: AccountEvent[];
  /** Every matching event up to this sequence is in `events`. */
  until: number;
}

const endsStatement = `
SELECT account_id AS "accountID", last_sequence::float8 AS last, first_kept_sequence::float8 AS "firstKept"
FROM event_counters WHERE account_id = ANY($1)`;

/** One statement, so that the ends and the events are of the same moment. */
const readStatement = `
SELECT kept.last_sequence::float8 AS last, kept.first_kept_sequence::float8 AS "firstKept", looked.until::float8 AS until, found.events
FROM event_counters kept,
  LATERAL (SELECT CASE WHEN $5::text IS NULL THEN LEAST(kept.last_sequence, $2 + ${lookedAtOnce}) ELSE kept.last_sequence END AS until)
    AS looked,
  LATERAL (SELECT COALESCE(jsonb_agg(event ORDER BY sequence), '[]') AS events FROM (
    SELECT e.sequence, jsonb_build_object('eventID', e.id, 'accountID', e.account_id, 'sequence', e.sequence, 'type', e.type,
      'createdAt', e.created_at, 'meetingID', e.meeting_id, 'keyType', e.key_type,
      'resource', jsonb_build_object('kind', e.resource_kind, 'id', e.resource_id), 'data', e.data, 'requestID', e.request_id)
      AS event
    FROM account_events e
    WHERE e.account_id = $1 AND e.sequence > $2 AND e.sequence <= looked.until
      AND (e.key_type IS NULL OR e.key_type = ANY($3)) AND ($4::text[] IS NULL OR e.type = ANY($4))
      AND ($5::text IS NULL OR e.meeting_id = $5)
    ORDER BY e.sequence LIMIT $6) AS page) AS found
WHERE kept.account_id = $1`;

/** Reads the logs of accounts. */
@Injectable()
export class EventLogRepository {
  constructor(private readonly database: DataSource) {}

  /** Accounts without events are left out. */
  async readEnds(accountIDs: readonly string[]): Promise<Map<string, LogEnds>> {
    const rows = await this.database.query<(LogEnds & { accountID: string })[]>(endsStatement, [accountIDs]);
    return new Map(rows.map(({ accountID, last, firstKept }) => [accountID, { last, firstKept }]));
  }

  async endsOf(accountID: string): Promise<LogEnds> {
    return (await this.readEnds([accountID])).get(accountID) ?? noCounters;
  }

  /** Reads matching events behind the sequence, at most `limit`. */
  async read(
    { accountID, environments, types, meetingID }: EventFilter,
    after: number,
    limit: number,
  ): Promise<ReadEvents> {
    const parameters = [accountID, after, environments, types, meetingID, limit];
    const [row] = await this.database.query<ReadEvents[]>(readStatement, parameters);
    if (!row) return { ...noCounters, events: [], until: 0 };
    const events = row.events.map(event => ({ ...event, createdAt: new Date(event.createdAt).toISOString() }));
    return { ...row, events };
  }
}
