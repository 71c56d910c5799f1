import type { MigrationInterface, QueryRunner } from 'typeorm';

const subUsers = `
CREATE TABLE sub_users (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('parent', 'member')),
  permissions text[] NOT NULL,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'disabled')),
  api_user_name text NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX sub_users_email ON sub_users (account_id, lower(email));
CREATE INDEX sub_users_by_account ON sub_users (account_id, created_at DESC, id DESC);

ALTER TABLE api_keys ADD COLUMN sub_user_id text REFERENCES sub_users (id) ON DELETE CASCADE;
DROP INDEX api_keys_current;
CREATE UNIQUE INDEX api_keys_current ON api_keys (account_id, type)
  WHERE superseded_at IS NULL AND sub_user_id IS NULL;
CREATE UNIQUE INDEX api_keys_of_sub_user ON api_keys (sub_user_id, type) WHERE sub_user_id IS NOT NULL;
`;

const disposableKeys = `
CREATE TABLE disposable_keys (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  sub_user_id text REFERENCES sub_users (id) ON DELETE CASCADE,
  created_by_key_id text REFERENCES disposable_keys (id) ON DELETE CASCADE,
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('sandbox', 'production')),
  validity_days integer,
  operations text[] NOT NULL,
  domains text[],
  hash bytea NOT NULL UNIQUE,
  masked_key text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);
CREATE UNIQUE INDEX disposable_keys_name ON disposable_keys (account_id, name) WHERE revoked_at IS NULL;
CREATE INDEX disposable_keys_by_account ON disposable_keys (account_id, created_at DESC, id DESC);
CREATE INDEX disposable_keys_by_sub_user ON disposable_keys (sub_user_id) WHERE sub_user_id IS NOT NULL;
CREATE INDEX disposable_keys_by_creator ON disposable_keys (created_by_key_id) WHERE created_by_key_id IS NOT NULL;

CREATE TABLE disposable_key_usage (
  key_id text NOT NULL REFERENCES disposable_keys (id) ON DELETE CASCADE,
  operation text NOT NULL,
  request_count bigint NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (key_id, operation)
);
`;

const domains = `
CREATE INDEX domains_by_account ON domains (account_id, created_at DESC, id DESC);
`;

export class AccountKeys1763731000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statements of [subUsers, disposableKeys, domains]) await queryRunner.query(statements);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX domains_by_account;
      DROP TABLE disposable_key_usage, disposable_keys;
      DELETE FROM api_keys WHERE sub_user_id IS NOT NULL;
      DROP INDEX api_keys_of_sub_user, api_keys_current;
      ALTER TABLE api_keys DROP COLUMN sub_user_id;
      CREATE UNIQUE INDEX api_keys_current ON api_keys (account_id, type) WHERE superseded_at IS NULL;
      DROP TABLE sub_users`);
  }
}
