import type { MigrationInterface, QueryRunner } from 'typeorm';
import { noteFunctions } from './outbox.sql.js';

/**
 * The events of accounts (docs/decisions/event-log.md). Events refer to no account: those of a removed account go in portions. Triggers
 * write to the outbox in the transaction of the change. The sequencer moves its rows to `account_events`.
 */
export class AccountEvents1795456100001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
-- The primary key is the only index: it has the rows of an account in the order in which the sequencer takes them.
CREATE TABLE event_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY,
  account_id text NOT NULL,
  kind text NOT NULL,
  resource_id text NOT NULL,
  before jsonb,
  after jsonb,
  request_id text,
  at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (account_id, id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- key_type: the environment; null: both environments share the resource.
CREATE TABLE account_events (
  account_id text NOT NULL,
  sequence bigint NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  meeting_id text,
  key_type text,
  resource_kind text NOT NULL,
  resource_id text NOT NULL,
  data jsonb NOT NULL,
  request_id text,
  PRIMARY KEY (account_id, sequence),
  CONSTRAINT account_events_id_key UNIQUE (id)
);
CREATE INDEX account_events_of_room ON account_events (account_id, meeting_id, sequence) WHERE meeting_id IS NOT NULL;
CREATE INDEX account_events_by_time ON account_events (created_at);

-- first_kept_sequence: the oldest event that retention has left, or the next event.
CREATE TABLE event_counters (
  account_id text PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  last_sequence bigint NOT NULL,
  first_kept_sequence bigint NOT NULL DEFAULT 1
) WITH (fillfactor = 50);

-- Locks the counters in the order of the sequencer, so that the two never wait for each other.
CREATE FUNCTION raise_first_kept_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM event_counters WHERE account_id IN (SELECT account_id FROM old_rows) ORDER BY account_id FOR NO KEY UPDATE;
  UPDATE event_counters kept SET first_kept_sequence = GREATEST(kept.first_kept_sequence, gone.last + 1)
  FROM (SELECT account_id, max(sequence) AS last FROM old_rows GROUP BY account_id) AS gone
  WHERE kept.account_id = gone.account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER account_events_deleted AFTER DELETE ON account_events REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION raise_first_kept_event();

-- The gateway ends the statements of a request with this comment. It costs no round trip. Other statements skip the expression.
CREATE FUNCTION event_request_id() RETURNS text LANGUAGE sql STABLE
  RETURN CASE WHEN right(current_query(), 2) = '*/' THEN substring(right(current_query(), 90) FROM '/\\* request ([A-Za-z0-9_-]{1,64}) \\*/$') END;
${noteFunctions}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE event_outbox, account_events, event_counters');
  }
}
