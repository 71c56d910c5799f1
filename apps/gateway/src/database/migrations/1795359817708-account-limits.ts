import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Only what differs from the plan's defaults, which the configuration has. */
const limits = `
CREATE TABLE account_limits (
  account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name text NOT NULL,
  value integer NOT NULL,
  PRIMARY KEY (account_id, name)
)`;

export class AccountLimits1795359817708 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(limits);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE account_limits');
  }
}
