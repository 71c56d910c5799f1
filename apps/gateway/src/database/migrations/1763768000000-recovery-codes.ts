import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A code that was taken is deleted. */
const codes = `
CREATE TABLE dashboard_recovery_codes (
  user_id text NOT NULL REFERENCES dashboard_users (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  PRIMARY KEY (user_id, code_hash)
)`;

export class RecoveryCodes1763768000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(codes);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE dashboard_recovery_codes');
  }
}
