import type { MigrationInterface, QueryRunner } from 'typeorm';

const recordings = `
ALTER TABLE recordings RENAME COLUMN started_at TO activated_at;
ALTER TABLE recordings
  ADD COLUMN node_id text,
  ADD COLUMN node_epoch bigint,
  ADD COLUMN placed_at timestamptz(3) NOT NULL DEFAULT now(),
  ADD COLUMN fact_sequence integer NOT NULL DEFAULT 0,
  ADD COLUMN grace_until timestamptz(3),
  ADD COLUMN end_reason text,
  ADD COLUMN tracks jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN duration_seconds double precision,
  ADD COLUMN max_duration_seconds integer NOT NULL DEFAULT 86400,
  ADD COLUMN pauses_limit integer NOT NULL DEFAULT 10,
  ADD COLUMN pause_count integer NOT NULL DEFAULT 0,
  ADD COLUMN retention_days integer NOT NULL DEFAULT 30,
  ADD COLUMN storage text,
  ADD COLUMN expires_at timestamptz(3),
  ADD COLUMN previous_recording_id text;
CREATE INDEX recordings_unfinished ON recordings (meeting_id) WHERE state IN ('starting', 'recording', 'processing');
CREATE INDEX recordings_by_session ON recordings (source_session_id);
CREATE UNIQUE INDEX recordings_one_per_session ON recordings (source_session_id) WHERE state IN ('starting', 'recording');
CREATE UNIQUE INDEX recordings_one_per_participant ON recordings (source_participant_id)
  WHERE state IN ('starting', 'recording');
CREATE INDEX recordings_to_continue ON recordings (grace_until) WHERE grace_until IS NOT NULL;
CREATE INDEX recordings_by_expiry ON recordings (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE recording_files_to_delete (
  recording_id text PRIMARY KEY,
  node_id text NOT NULL,
  storage text NOT NULL
);

ALTER TABLE rooms ADD COLUMN recording_options jsonb;
`;

export class RecordingFiles1763755000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(recordings);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
ALTER TABLE rooms DROP COLUMN recording_options;
DROP TABLE recording_files_to_delete;
DROP INDEX recordings_unfinished, recordings_by_session, recordings_one_per_session, recordings_one_per_participant,
  recordings_to_continue, recordings_by_expiry;
ALTER TABLE recordings DROP COLUMN node_id, DROP COLUMN node_epoch, DROP COLUMN placed_at, DROP COLUMN fact_sequence,
  DROP COLUMN grace_until, DROP COLUMN end_reason, DROP COLUMN tracks, DROP COLUMN duration_seconds,
  DROP COLUMN max_duration_seconds, DROP COLUMN pauses_limit, DROP COLUMN pause_count, DROP COLUMN retention_days,
  DROP COLUMN storage, DROP COLUMN expires_at, DROP COLUMN previous_recording_id;
ALTER TABLE recordings RENAME COLUMN activated_at TO started_at;`);
  }
}
