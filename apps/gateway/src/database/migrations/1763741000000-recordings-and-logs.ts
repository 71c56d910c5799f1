import type { MigrationInterface, QueryRunner } from 'typeorm';

const recordings = `
CREATE TABLE recordings (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  meeting_id text NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  source_session_id text REFERENCES external_sessions (id) ON DELETE SET NULL,
  source_participant_id text,
  state text NOT NULL CHECK (state IN ('starting', 'recording', 'processing', 'ready', 'failed')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  size_bytes bigint,
  format text,
  width integer,
  height integer,
  checksum_sha256 text
);
CREATE INDEX recordings_by_account ON recordings (account_id, created_at DESC, id DESC);
CREATE INDEX recordings_by_room ON recordings (account_id, meeting_id, created_at DESC, id DESC);
`;

const logs = `
CREATE TABLE room_messages (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  meeting_id text NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  sender_id text NOT NULL,
  recipient_id text,
  message text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX room_messages_by_account ON room_messages (account_id, created_at DESC, id DESC);
CREATE INDEX room_messages_by_room ON room_messages (account_id, meeting_id, created_at DESC, id DESC);

CREATE TABLE sip_calls (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  meeting_id text REFERENCES rooms (id) ON DELETE SET NULL,
  direction text NOT NULL CHECK (direction IN ('incoming', 'outgoing')),
  caller_number text NOT NULL,
  callee_number text NOT NULL,
  state text NOT NULL,
  transcript jsonb NOT NULL DEFAULT '[]',
  summary text,
  callback_state text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  answered_at timestamptz(3),
  ended_at timestamptz(3)
);
CREATE INDEX sip_calls_by_account ON sip_calls (account_id, created_at DESC, id DESC);
CREATE INDEX sip_calls_by_room ON sip_calls (account_id, meeting_id, created_at DESC, id DESC);
`;

export class RecordingsAndLogs1763741000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statements of [recordings, logs]) await queryRunner.query(statements);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE sip_calls, room_messages, recordings');
  }
}
