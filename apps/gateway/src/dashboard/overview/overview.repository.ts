import { Injectable } from '@nestjs/common';
import type { ExternalSessionState, FirstSteps, LiveSession, OverviewNow, SessionTrack } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import type { KeyType } from '../../platform/auth/caller.js';
import { whereLive, whereRunning } from '../../platform/rows/live-states.js';
import type { BucketRow, OverviewRange } from './overview-range.js';

export interface OverviewScope {
  accountID: string;
  environments: readonly KeyType[];
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

/** A room lasts at most a day, so usage in the range belongs to a room that is up to 25 hours older. $2 to $5 are in ms. */
const rooms = `
SELECT id, created_at FROM rooms WHERE account_id = $1 AND key_type = ANY($6)
  AND created_at >= to_timestamp($2::float8 / 1000) - interval '25 hours' AND created_at < to_timestamp($3::float8 / 1000)`;
const startOf = (ms: string): string => `floor(${ms} / $4::float8) * $4::float8`;
const msOf = (time: string): string => `(EXTRACT(EPOCH FROM ${time})::float8 * 1000)`;

const createdStatement = (table: string, what: string): string => `
SELECT ${startOf(msOf('m.created_at'))} AS start, '${what}' AS what, count(*)::float8 AS amount
FROM ${table === 'rooms' ? 'of_range m' : `of_range r JOIN ${table} m ON m.meeting_id = r.id`}
WHERE m.created_at >= to_timestamp($2::float8 / 1000) AND m.created_at < to_timestamp($3::float8 / 1000) GROUP BY 1`;

/** Cuts each interval of the ledger to the range, and then to each bucket. */
const usageStatement = `
SELECT b.start::float8 AS start, CASE u.kind WHEN 'recording' THEN 'recordingMs' ELSE 'participantMs' END AS what,
  sum(LEAST(cut.until, b.start + $4::float8) - GREATEST(cut.since, b.start)) AS amount
FROM of_range r JOIN usage_intervals u ON u.meeting_id = r.id,
  LATERAL (SELECT GREATEST(${msOf('u.started_at')}, $2::float8) AS since,
    LEAST(COALESCE(${msOf('u.ended_at')}, GREATEST(${msOf('u.metered_until')}, $5::float8)), $3::float8) AS until) AS cut,
  LATERAL generate_series((${startOf('cut.since')})::bigint, ceil(cut.until)::bigint - 1, $4::bigint) AS b (start)
WHERE cut.until > cut.since GROUP BY 1, 2`;

const bucketsStatement = `
WITH of_range AS (${rooms})
${createdStatement('rooms', 'rooms')} UNION ALL ${createdStatement('external_sessions', 'sessions')}
UNION ALL ${createdStatement('broadcasts', 'broadcasts')} UNION ALL ${usageStatement}`;

const liveStatement = `
SELECT s.id, s.meeting_id AS "meetingID", s.display_name AS "displayName", r.room_name AS "roomName", s.state, s.tracks, s.health,
  s.activated_at AS "activatedAt", count(*) OVER ()::int AS total,
  (SELECT COALESCE(sum(p.viewer_count), 0) FROM playbacks p
    WHERE p.source_session_id = s.id AND ${whereLive('p')})::int AS viewers,
  (SELECT count(*) FROM broadcasts b WHERE b.source_session_id = s.id AND b.state = 'active')::int AS broadcasts,
  (SELECT count(*) FROM recordings c WHERE c.source_session_id = s.id AND ${whereRunning('c')})::int AS recordings
FROM external_sessions s JOIN rooms r ON r.id = s.meeting_id
WHERE s.account_id = $1 AND r.key_type = ANY($2) AND ${whereLive('s')} AND s.state = 'active'
ORDER BY s.activated_at DESC, s.id DESC LIMIT $3`;

/** Looks at the newest rooms only: media has no index by account, and who began long ago needs no first steps. */
const stepsStatement = `
WITH newest AS (SELECT id FROM rooms WHERE account_id = $1 ORDER BY created_at DESC LIMIT 1000),
  watched AS (SELECT EXISTS (SELECT 1 FROM newest JOIN broadcasts b ON b.meeting_id = newest.id
    WHERE b.activated_at IS NOT NULL) AS broadcast)
SELECT EXISTS (SELECT 1 FROM api_keys WHERE account_id = $1) AS key, EXISTS (SELECT 1 FROM newest) AS room,
  EXISTS (SELECT 1 FROM newest JOIN external_sessions s ON s.meeting_id = newest.id
    WHERE s.activated_at IS NOT NULL) AS publish,
  broadcast OR EXISTS (SELECT 1 FROM newest JOIN playbacks p ON p.meeting_id = newest.id
    WHERE p.activated_at IS NOT NULL) AS watch, broadcast
FROM watched`;

/** A row of an active external session, with counts. */
export interface LiveRow extends Omit<LiveSession, 'sessionID' | 'activatedAt' | 'thumbnail'> {
  id: string;
  state: ExternalSessionState;
  tracks: SessionTrack[];
  activatedAt: Date;
  total: number;
}

/** Counts an account's resources and usage over the tables of several domains. */
@Injectable()
export class OverviewRepository {
  constructor(private readonly dataSource: DataSource) {}

  async countNow({ accountID, environments }: OverviewScope): Promise<Omit<OverviewNow, 'minutesLeft'>> {
    const rows = await this.dataSource.query<[Omit<OverviewNow, 'minutesLeft'>]>(nowStatement, [
      accountID,
      environments,
    ]);
    return rows[0];
  }

  /** The newest active sessions. */
  listLive({ accountID, environments }: OverviewScope, atMost: number): Promise<LiveRow[]> {
    return this.dataSource.query(liveStatement, [accountID, environments, atMost]);
  }

  async firstSteps(accountID: string): Promise<FirstSteps> {
    const rows = await this.dataSource.query<[FirstSteps]>(stepsStatement, [accountID]);
    return rows[0];
  }

  /** The amounts by bucket. Running intervals count until `now`. */
  readBuckets({ accountID, environments }: OverviewScope, range: OverviewRange, now: number): Promise<BucketRow[]> {
    const { from, to, bucketMs } = range;
    return this.dataSource.query(bucketsStatement, [accountID, from, to, bucketMs, Math.min(now, to), environments]);
  }
}
