import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `totp_last_step`: the newest 30 s whose code was taken; an older or equal one is not taken again. */
const users = `
CREATE TABLE dashboard_users (
  id text PRIMARY KEY,
  email text NOT NULL,
  password_hash text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'administrator')),
  account_id text REFERENCES accounts (id) ON DELETE CASCADE,
  encrypted_totp_secret bytea,
  totp_enabled boolean NOT NULL DEFAULT false CHECK (NOT totp_enabled OR encrypted_totp_secret IS NOT NULL),
  totp_last_step bigint,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT dashboard_users_email_key UNIQUE (email),
  CONSTRAINT dashboard_users_owner_has_account CHECK ((role = 'owner') = (account_id IS NOT NULL))
);
CREATE INDEX dashboard_users_by_account ON dashboard_users (account_id);
CREATE INDEX dashboard_users_newest ON dashboard_users (created_at DESC, id DESC);
`;

const sessions = `
CREATE TABLE dashboard_sessions (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES dashboard_users (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL,
  created_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT dashboard_sessions_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX dashboard_sessions_by_user ON dashboard_sessions (user_id);
CREATE INDEX dashboard_sessions_by_end ON dashboard_sessions (expires_at);
`;

/** Not logged: after a crash of the database everyone begins at nothing. */
const attempts = `
CREATE UNLOGGED TABLE sign_in_attempts (
  subject bytea PRIMARY KEY,
  window_start bigint NOT NULL,
  count integer NOT NULL
);
CREATE INDEX sign_in_attempts_by_window ON sign_in_attempts (window_start);
`;

export class DashboardUsers1763760000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statements of [users, sessions, attempts]) await queryRunner.query(statements);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE sign_in_attempts, dashboard_sessions, dashboard_users');
  }
}
