import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const unrecordedStatement = `
SELECT r.id FROM rooms r
WHERE r.state = 'active' AND r.record_on_start
  AND (EXISTS (SELECT 1 FROM external_sessions s WHERE s.meeting_id = r.id AND s.state = 'active')
    OR EXISTS (SELECT 1 FROM participants p WHERE p.meeting_id = r.id AND p.state = 'joined' AND p.kind = 'member'
      AND jsonb_array_length(p.tracks) > 0))
  AND NOT EXISTS (SELECT 1 FROM recordings c WHERE c.meeting_id = r.id AND c.composition IS NOT NULL
    AND c.source_recording_ids IS NULL)
  AND NOT EXISTS (SELECT 1 FROM deleted_recordings d WHERE d.meeting_id = r.id AND d.recording->>'layout' IS NOT NULL
    AND NOT d.is_composed_of_files)`;

@Injectable()
export class RecordingsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Rooms with `recordOnStart` in which somebody sends media, and which have never been recorded as a whole. Files composed later do not count. */
  async listUnrecordedRooms(): Promise<string[]> {
    const rooms = await this.dataSource.query<{ id: string }[]>(unrecordedStatement);
    return rooms.map(({ id }) => id);
  }
}
