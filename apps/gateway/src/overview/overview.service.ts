import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { OverviewNow, OverviewPoint } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import type { KeyType } from '../auth/caller.js';
import { whereLive, whereRunning } from '../media/live-states.js';
import { BalancesService } from '../balance/balances.service.js';
import { presentBalance } from '../balance/present-balance.js';
import { bucketStarts, type OverviewRange } from './overview-range.js';

type Counts = Omit<OverviewNow, 'minutesLeft'>;

interface OverviewScope {
  accountID: string;
  environments: readonly KeyType[];
}

interface BucketRow {
  /** ms since 1970, of a bucket's beginning. */
  start: number;
  what: 'participantMs' | 'recordingMs' | 'rooms' | 'sessions' | 'broadcasts';
  amount: number;
}

const runningRooms = `SELECT id FROM rooms WHERE account_id = $1 AND key_type = ANY($2) AND state = 'active'`;
const nowStatement = `
WITH running AS (${runningRooms})
SELECT (SELECT count(*) FROM running)::int AS "roomsActive",
  (SELECT count(*) FROM participants p JOIN running r ON r.id = p.meeting_id
    WHERE p.state = 'joined' AND p.kind = 'member')::int AS participants,
  (SELECT count(*) FROM external_sessions s JOIN running r ON r.id = s.meeting_id
    WHERE s.state = 'active')::int AS "externalSessionsActive",
  (SELECT COALESCE(sum(p.viewer_count), 0) FROM playbacks p JOIN running r ON r.id = p.meeting_id
    WHERE ${whereLive('p')})::int AS viewers,
  (SELECT count(*) FROM broadcasts b JOIN running r ON r.id = b.meeting_id
    WHERE b.state = 'active')::int AS "broadcastsActive",
  (SELECT count(*) FROM recordings c JOIN running r ON r.id = c.meeting_id
    WHERE ${whereRunning('c')})::int AS "recordingsRunning"`;

/** A room lives a day at most, so what overlaps the range belongs to a room of it or of the day before; $2 to $5 in ms, $6 environments. */
const rooms = `
SELECT id, created_at FROM rooms WHERE account_id = $1 AND key_type = ANY($6)
  AND created_at >= to_timestamp($2::float8 / 1000) - interval '25 hours' AND created_at < to_timestamp($3::float8 / 1000)`;
const startOf = (ms: string): string => `floor(${ms} / $4::float8) * $4::float8`;
const msOf = (time: string): string => `(EXTRACT(EPOCH FROM ${time})::float8 * 1000)`;

const madeStatement = (table: string, what: string): string => `
SELECT ${startOf(msOf('m.created_at'))} AS start, '${what}' AS what, count(*)::float8 AS amount
FROM ${table === 'rooms' ? 'of_range m' : `of_range r JOIN ${table} m ON m.meeting_id = r.id`}
WHERE m.created_at >= to_timestamp($2::float8 / 1000) AND m.created_at < to_timestamp($3::float8 / 1000) GROUP BY 1`;

/** From the ledger: an interval is cut to the range, and then to each of its buckets. */
const ranStatement = `
SELECT b.start::float8 AS start, CASE u.kind WHEN 'recording' THEN 'recordingMs' ELSE 'participantMs' END AS what,
  sum(LEAST(cut.until, b.start + $4::float8) - GREATEST(cut.since, b.start)) AS amount
FROM of_range r JOIN usage_intervals u ON u.meeting_id = r.id,
  LATERAL (SELECT GREATEST(${msOf('u.started_at')}, $2::float8) AS since,
    LEAST(COALESCE(${msOf('u.ended_at')}, GREATEST(${msOf('u.metered_until')}, $5::float8)), $3::float8) AS until) AS cut,
  LATERAL generate_series((${startOf('cut.since')})::bigint, ceil(cut.until)::bigint - 1, $4::bigint) AS b (start)
WHERE cut.until > cut.since GROUP BY 1, 2`;

const bucketsStatement = `
WITH of_range AS (${rooms})
${madeStatement('rooms', 'rooms')} UNION ALL ${madeStatement('external_sessions', 'sessions')}
UNION ALL ${madeStatement('broadcasts', 'broadcasts')} UNION ALL ${ranStatement}`;

/** What an account has running, and what ran, by the ledger that minutes are charged from. */
@Injectable()
export class OverviewService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly balances: BalancesService,
  ) {}

  async now({ accountID, environments }: OverviewScope): Promise<OverviewNow> {
    const [rows, balance] = await Promise.all([
      this.database.query<Counts[]>(nowStatement, [accountID, environments]),
      this.balances.read(accountID),
    ]);
    const [counts] = rows as [Counts];
    return { ...counts, minutesLeft: presentBalance(balance) };
  }

  async points(
    { accountID, environments }: OverviewScope,
    range: OverviewRange,
    now: number,
  ): Promise<OverviewPoint[]> {
    const parameters = [accountID, range.from, range.to, range.bucketMs, Math.min(now, range.to), environments];
    const rows = await this.database.query<BucketRow[]>(bucketsStatement, parameters);
    const amounts = new Map(rows.map(({ start, what, amount }) => [`${start} ${what}`, amount]));
    return bucketStarts(range).map(start => pointOf(start, what => amounts.get(`${start} ${what}`) ?? 0));
  }
}

function pointOf(start: number, amountOf: (what: BucketRow['what']) => number): OverviewPoint {
  return {
    start: new Date(start).toISOString(),
    participantMinutes: minutes(amountOf('participantMs')),
    recordingMinutes: minutes(amountOf('recordingMs')),
    roomsCreated: amountOf('rooms'),
    externalSessionsCreated: amountOf('sessions'),
    broadcastsCreated: amountOf('broadcasts'),
  };
}

/** To a hundredth. */
function minutes(ms: number): number {
  return Math.round(ms / 600) / 100;
}
