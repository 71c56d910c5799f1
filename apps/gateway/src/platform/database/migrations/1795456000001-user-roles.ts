import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Developers, viewers and invitations. The account of a developer or viewer has a column of its own. Gateways of the first release give
 * each user with `account_id` all rights. They may run beside newer gateways, so they must not find these users there.
 */
export class UserRoles1795456000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
ALTER TABLE dashboard_users
  DROP CONSTRAINT dashboard_users_role_check,
  ADD CONSTRAINT dashboard_users_known_role CHECK (role IN ('owner', 'developer', 'viewer', 'administrator')) NOT VALID,
  ADD COLUMN member_account_id text REFERENCES accounts (id) ON DELETE CASCADE,
  ADD CONSTRAINT dashboard_users_member_has_account
    CHECK ((role IN ('developer', 'viewer')) = (member_account_id IS NOT NULL)) NOT VALID`);
    await queryRunner.query(`
-- invited_by: the removal of an owner also revokes the invitations of this owner.
CREATE TABLE dashboard_invitations (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'developer', 'viewer')),
  token_hash bytea NOT NULL,
  invited_by text NOT NULL REFERENCES dashboard_users (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT dashboard_invitations_token_hash_key UNIQUE (token_hash),
  CONSTRAINT dashboard_invitations_email_key UNIQUE (account_id, email)
);
CREATE INDEX dashboard_invitations_by_inviter ON dashboard_invitations (invited_by)`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Gateways of the first release work with this schema. Leave it as it is.'));
  }
}
