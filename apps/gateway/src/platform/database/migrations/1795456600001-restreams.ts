import type { MigrationInterface, QueryRunner } from 'typeorm';
import { noteFunction, noteTriggersOf, type EventTable } from './account-events/outbox.sql.js';

/** Without the address of the target: that of a WHIP target may contain a secret. */
export const notedRestreams: EventTable = {
  ...{ table: 'restreams', kind: 'restream', hasDelete: false },
  watched: ['state'],
  shown: {
    ...{ restreamID: 'id', meetingID: 'meeting_id', sourceSessionID: 'source_session_id', state: 'state' },
    ...{ targetProtocol: 'target_protocol', retryCount: 'retry_count', problem: 'problem' },
    ...{ createdAt: 'created_at', activatedAt: 'activated_at', endedAt: 'ended_at', endReason: 'end_reason' },
    reason: 'reason',
  },
};

/** Media of external sessions on its way to servers outside the platform. */
export class Restreams1795456600001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE TABLE restreams (
  id text PRIMARY KEY,
  account_id text NOT NULL,
  meeting_id text NOT NULL REFERENCES rooms (id) ON DELETE CASCADE,
  node_id text,
  node_epoch bigint,
  placed_at timestamptz(3) NOT NULL DEFAULT now(),
  fact_sequence integer NOT NULL DEFAULT 0,
  grace_until timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  activated_at timestamptz(3),
  ended_at timestamptz(3),
  end_reason text,
  source_session_id text NOT NULL REFERENCES external_sessions (id) ON DELETE CASCADE,
  tracks jsonb NOT NULL DEFAULT '[]',
  state text NOT NULL CHECK (state IN ('connecting', 'active', 'retrying', 'ended', 'failed')),
  target_protocol text NOT NULL,
  target_url text NOT NULL,
  encrypted_target_secrets bytea,
  retry_count integer NOT NULL DEFAULT 0,
  problem text,
  problem_at timestamptz(3),
  reason text
);
CREATE INDEX restreams_by_room ON restreams (meeting_id, created_at DESC, id DESC) INCLUDE (account_id);
CREATE INDEX restreams_live_by_id ON restreams (id) INCLUDE (meeting_id) WHERE state NOT IN ('ended', 'failed');
CREATE INDEX restreams_by_source ON restreams (source_session_id);
-- The gateway counts the live restreams of an account before it opens another one.
CREATE INDEX restreams_live_by_account ON restreams (account_id) WHERE state NOT IN ('ended', 'failed');
${noteFunction(notedRestreams)}
${noteTriggersOf(notedRestreams).join(';\n')}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE restreams');
    await queryRunner.query('DROP FUNCTION note_event_of_restreams');
  }
}
