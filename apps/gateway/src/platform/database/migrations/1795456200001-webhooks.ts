import type { MigrationInterface, QueryRunner } from 'typeorm';
import { noteFunction, noteTriggersOf, type EventTable } from './account-events/outbox.sql.js';

/** Without the address, which may contain a secret. */
const noted: EventTable = {
  ...{ table: 'webhooks', kind: 'webhook', hasDelete: true },
  watched: ['state', 'updated_at'],
  shown: {
    ...{ webhookID: 'id', keyType: 'key_type', description: 'description', eventTypes: 'event_types', state: 'state' },
    ...{ disabledReason: 'disabled_reason', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
};

/** Webhooks and their deliveries (docs/decisions/webhooks.md). Deliveries refer to no webhook: those of a removed one go in portions. */
export class Webhooks1795456200001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
CREATE TABLE webhooks (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  key_type text NOT NULL CHECK (key_type IN ('sandbox', 'production')),
  url text NOT NULL,
  description text,
  event_types jsonb NOT NULL DEFAULT '[]',
  encrypted_secret bytea NOT NULL,
  encrypted_previous_secret bytea,
  previous_secret_until timestamptz(3),
  state text NOT NULL DEFAULT 'enabled' CHECK (state IN ('enabled', 'disabled')),
  disabled_reason text CHECK (disabled_reason IN ('requested', 'failing', 'gone')),
  disabled_at timestamptz(3)
);
CREATE INDEX webhooks_listed ON webhooks (account_id, created_at DESC, id DESC);

CREATE TABLE webhook_queues (
  webhook_id text PRIMARY KEY REFERENCES webhooks (id) ON DELETE CASCADE,
  pending integer NOT NULL DEFAULT 0,
  failing_since timestamptz(3),
  last_failure_at timestamptz(3),
  last_delivered_at timestamptz(3)
) WITH (fillfactor = 50);

-- until: the end of a replay; null: the cursor follows the log.
CREATE TABLE webhook_cursors (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  webhook_id text NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  sequence bigint NOT NULL,
  until bigint
) WITH (fillfactor = 50);
CREATE INDEX webhook_cursors_of_webhook ON webhook_cursors (webhook_id);

-- lane: deliveries of one lane are sent in the order of their numbers. is_head: the first pending delivery of its lane.
-- due_at: of heads; null: the webhook is disabled. A claimed delivery is due again at the end of its lease.
-- is_claimed: a request runs, or its gateway was killed.
CREATE TABLE webhook_deliveries (
  webhook_id text NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  id text NOT NULL,
  account_id text NOT NULL,
  cause text NOT NULL,
  event_id text NOT NULL,
  sequence bigint,
  type text NOT NULL,
  lane text NOT NULL,
  body text NOT NULL,
  state text NOT NULL DEFAULT 'pending',
  is_head boolean NOT NULL,
  is_claimed boolean NOT NULL DEFAULT false,
  due_at timestamptz(3),
  tried_since timestamptz(3),
  attempt_count integer NOT NULL DEFAULT 0,
  attempts jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  PRIMARY KEY (webhook_id, number),
  CONSTRAINT webhook_deliveries_id_key UNIQUE (id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at, number) WHERE is_head;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, lane, number) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (webhook_id, number) WHERE state = 'failed';
CREATE INDEX webhook_deliveries_of_account ON webhook_deliveries (account_id);
CREATE INDEX webhook_deliveries_by_end ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;
${noteFunction(noted)}`);
    for (const statement of noteTriggersOf(noted)) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE webhook_deliveries, webhook_cursors, webhook_queues, webhooks');
    await queryRunner.query('DROP FUNCTION note_event_of_webhooks');
  }
}
