import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { SourceChoice } from '../broadcasts/broadcast.dto.js';

const unrecordedStatement = `
SELECT r.id AS "meetingID", s.id AS "sourceSessionID", NULL AS "sourceParticipantID"
FROM rooms r JOIN external_sessions s ON s.meeting_id = r.id AND s.state = 'active'
WHERE r.state = 'active' AND r.record_on_start
  AND NOT EXISTS (SELECT 1 FROM recordings c WHERE c.source_session_id = s.id)
UNION ALL
SELECT r.id, NULL, p.id
FROM rooms r JOIN participants p ON p.meeting_id = r.id AND p.state = 'joined' AND p.kind = 'member'
WHERE r.state = 'active' AND r.record_on_start AND jsonb_array_length(p.tracks) > 0
  AND NOT EXISTS (SELECT 1 FROM recordings c WHERE c.source_participant_id = p.id)`;

@Injectable()
export class RecordingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Sources that send media in a room with `recordOnStart` and have never been recorded. */
  listUnrecordedSources(): Promise<(SourceChoice & { meetingID: string })[]> {
    return this.dataSource.query(unrecordedStatement);
  }
}
