import { Injectable } from '@nestjs/common';
import { encoderPlaces, encoderProtocols } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { whereLive } from '../../platform/rows/live-states.js';
import type { ExternalSession } from '../resources/external-session.entity.js';

/** The IDs and states of tracks, in order: enough to see that two lists of tracks differ. */
const trackStates = (column: string, condition: string) => `COALESCE((
  SELECT jsonb_agg(jsonb_build_array(track->>'trackID', track->>'state') ORDER BY place)
  FROM jsonb_array_elements(${column}) WITH ORDINALITY AS listed (track, place) WHERE ${condition}), '[]')`;

const differingStatement = `
SELECT s.id, s.meeting_id AS "meetingID" FROM external_sessions s JOIN rooms r ON r.id = s.meeting_id AND r.state = 'active'
LEFT JOIN participants p ON p.session_id = s.id
WHERE ${whereLive('s')} AND s.activated_at IS NOT NULL AND (
  p.id IS NULL OR p.is_connected <> (s.state = 'active') OR p.health <> s.health
  OR ${trackStates('p.tracks', 'true')} <> ${trackStates('s.tracks', `track->>'state' <> 'ended'`)})
UNION ALL
SELECT s.id, s.meeting_id FROM participants p JOIN external_sessions s ON s.id = p.session_id
WHERE p.kind = 'externalSession' AND p.state = 'joined' AND s.state IN ('ended', 'failed')`;

const homelessStatement = `
WITH source AS (SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) AS given(id, node_id, node_epoch))
SELECT 1 FROM source JOIN playbacks ON source_session_id = source.id AND ${whereLive()}
  AND (playbacks.node_epoch IS NULL
    OR (playbacks.node_id, playbacks.node_epoch) IS DISTINCT FROM (source.node_id, source.node_epoch))
UNION ALL SELECT 1 FROM source JOIN broadcasts ON source_session_id = source.id AND ${whereLive()}
  AND broadcasts.node_epoch IS NULL
UNION ALL SELECT 1 FROM source JOIN restreams ON source_session_id = source.id AND ${whereLive()}
  AND restreams.node_epoch IS NULL LIMIT 1`;

const countStatement = `
SELECT count(*)::int AS sessions FROM external_sessions WHERE account_id = $1 AND ${whereLive()} AND id IS DISTINCT FROM $2`;

const countEncodersStatement = `
SELECT count(*)::int AS encoders, count(*) FILTER (WHERE webrtc_renditions)::int AS "withRenditions"
FROM external_sessions WHERE account_id = $1 AND ${whereLive()} AND id IS DISTINCT FROM $2 AND protocol = ANY($3)`;

/** Counts external sessions, and compares them with the roster and with their playbacks, broadcasts and restreams. */
@Injectable()
export class ExternalSessionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Counts the live sessions of an account; `exceptID` is not counted. */
  async countLive(manager: EntityManager, accountID: string, exceptID?: string): Promise<number> {
    const [row] = await manager.query<{ sessions: number }[]>(countStatement, [accountID, exceptID ?? null]);
    return row?.sessions ?? 0;
  }

  /** As `countLive`, the places that sessions of SRT, RTMP and RTMPS take. */
  async countEncoderPlaces(manager: EntityManager, accountID: string, exceptID?: string): Promise<number> {
    const parameters = [accountID, exceptID ?? null, encoderProtocols];
    const [row] = await manager.query<{ encoders: number; withRenditions: number }[]>(
      countEncodersStatement,
      parameters,
    );
    const { encoders, withRenditions } = row ?? { encoders: 0, withRenditions: 0 };
    return encoderPlaces.usual * (encoders - withRenditions) + encoderPlaces.withRenditions * withRenditions;
  }

  /** Sessions that differ from their participants in the roster. */
  listDifferingFromRoster(): Promise<Pick<ExternalSession, 'id' | 'meetingID'>[]> {
    return this.dataSource.query(differingStatement);
  }

  /** Whether a playback, broadcast or restream of the sessions has no node, or a playback is on another node than its session. */
  async haveHomelessDependents(manager: EntityManager, rows: readonly ExternalSession[]): Promise<boolean> {
    if (rows.length === 0) return false;
    const columns = (['id', 'nodeID', 'nodeEpoch'] as const).map(name => rows.map(row => row[name]));
    return (await manager.query<unknown[]>(homelessStatement, columns)).length > 0;
  }
}
