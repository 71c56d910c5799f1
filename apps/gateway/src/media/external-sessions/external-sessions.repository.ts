import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { whereLive } from '../../platform/rows/live-states.js';
import type { ExternalSession } from '../resources/external-session.entity.js';

/** The IDs and states of tracks, in order: enough to see that two lists of tracks differ. */
const trackStates = (column: string, condition: string) => `COALESCE((
  SELECT jsonb_agg(jsonb_build_array(track->>'trackID', track->>'state') ORDER BY place)
  FROM jsonb_array_elements(${column}) WITH ORDINALITY AS listed (track, place) WHERE ${condition}), '[]')`;

const differingStatement = `
SELECT s.id FROM external_sessions s JOIN rooms r ON r.id = s.meeting_id AND r.state = 'active'
LEFT JOIN participants p ON p.session_id = s.id
WHERE ${whereLive('s')} AND s.activated_at IS NOT NULL AND (
  p.id IS NULL OR p.is_connected <> (s.state = 'active') OR p.health <> s.health
  OR ${trackStates('p.tracks', 'true')} <> ${trackStates('s.tracks', `track->>'state' <> 'ended'`)})
UNION ALL
SELECT s.id FROM participants p JOIN external_sessions s ON s.id = p.session_id
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

/** Compares external sessions with the roster and with their playbacks, broadcasts and restreams. */
@Injectable()
export class ExternalSessionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Sessions that differ from their participants in the roster. */
  async listDifferingFromRoster(): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(differingStatement);
    return rows.map(({ id }) => id);
  }

  /** Whether a playback, broadcast or restream of the sessions has no node, or a playback is on another node than its session. */
  async haveHomelessDependents(manager: EntityManager, rows: readonly ExternalSession[]): Promise<boolean> {
    if (rows.length === 0) return false;
    const columns = (['id', 'nodeID', 'nodeEpoch'] as const).map(name => rows.map(row => row[name]));
    return (await manager.query<unknown[]>(homelessStatement, columns)).length > 0;
  }
}
