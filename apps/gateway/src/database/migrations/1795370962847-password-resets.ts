import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A link that was used is deleted. */
const resets = `
CREATE TABLE dashboard_password_resets (
  user_id text PRIMARY KEY REFERENCES dashboard_users (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  expires_at timestamptz(3) NOT NULL
)`;

export class PasswordResets1795370962847 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(resets);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE dashboard_password_resets');
  }
}
