import type { EntityManager } from 'typeorm';

/** What ran in a room, from the ledger. */
export interface RoomUsage {
  meetingID: string;
  /** External sessions included; each counts once, however often it came back. */
  participantCount: number;
  externalSessionCount: number;
  meetingMs: number;
  recordingMs: number;
}

const usageStatement = `
SELECT meeting_id AS "meetingID",
  (count(DISTINCT resource_id) FILTER (WHERE kind <> 'recording'))::int AS "participantCount",
  (count(DISTINCT resource_id) FILTER (WHERE kind = 'external_session'))::int AS "externalSessionCount",
  COALESCE(sum(ms) FILTER (WHERE kind <> 'recording'), 0)::float8 AS "meetingMs",
  COALESCE(sum(ms) FILTER (WHERE kind = 'recording'), 0)::float8 AS "recordingMs"
FROM usage_intervals,
  LATERAL (SELECT EXTRACT(EPOCH FROM COALESCE(ended_at, GREATEST($2, started_at)) - started_at) * 1000 AS ms) AS ran
WHERE meeting_id = ANY($1) GROUP BY meeting_id`;

/** Of each of the given rooms, up to now. */
export async function readRoomUsage(
  manager: EntityManager,
  meetingIDs: readonly string[],
  now: Date,
): Promise<(meetingID: string) => Omit<RoomUsage, 'meetingID'>> {
  const rows = meetingIDs.length === 0 ? [] : await manager.query<RoomUsage[]>(usageStatement, [meetingIDs, now]);
  const nothing = { participantCount: 0, externalSessionCount: 0, meetingMs: 0, recordingMs: 0 };
  return meetingID => rows.find(row => row.meetingID === meetingID) ?? nothing;
}
