import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Milliseconds that a new account begins with: 100,000 meeting minutes and 10,000 recording minutes of each type. */
const balances = `
CREATE TABLE balances (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  key_type text NOT NULL CHECK (key_type IN ('sandbox', 'production')),
  meeting_ms bigint NOT NULL DEFAULT 6000000000,
  recording_ms bigint NOT NULL DEFAULT 600000000,
  PRIMARY KEY (account_id, key_type)
);
INSERT INTO balances (account_id, key_type)
  SELECT id, key_type FROM accounts, unnest(ARRAY['sandbox', 'production']) AS key_type;

CREATE FUNCTION open_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO balances (account_id, key_type) VALUES (NEW.id, 'sandbox'), (NEW.id, 'production');
  RETURN NEW;
END $$;
CREATE TRIGGER accounts_open_balances AFTER INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION open_balances();
`;

/**
 * The ledger. What lies between started_at and metered_until is charged; settled: nothing is left to charge. Rows
 * outlive their rooms.
 */
const usageIntervals = `
CREATE TABLE usage_intervals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  key_type text NOT NULL,
  meeting_id text NOT NULL,
  resource_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('external_session', 'participant', 'recording')),
  started_at timestamptz(3) NOT NULL,
  ended_at timestamptz(3) CHECK (ended_at >= started_at),
  metered_until timestamptz(3) NOT NULL,
  settled boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX usage_intervals_open ON usage_intervals (resource_id) WHERE ended_at IS NULL;
CREATE INDEX usage_intervals_unsettled ON usage_intervals (account_id, key_type) WHERE NOT settled;
CREATE INDEX usage_intervals_by_room ON usage_intervals (meeting_id, resource_id);
`;

/** A row takes an entitlement away; without one the account has it. */
const entitlements = `
CREATE TABLE account_entitlements (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  entitlement text NOT NULL,
  granted boolean NOT NULL,
  PRIMARY KEY (account_id, entitlement)
);
`;

export class Metering1763740000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statements of [balances, usageIntervals, entitlements]) await queryRunner.query(statements);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER accounts_open_balances ON accounts');
    await queryRunner.query('DROP FUNCTION open_balances');
    await queryRunner.query('DROP TABLE account_entitlements, usage_intervals, balances');
  }
}
