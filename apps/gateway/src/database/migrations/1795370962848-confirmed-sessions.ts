import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the user last typed the password; sessions from before have to type it once more. */
const column = `ALTER TABLE dashboard_sessions ADD COLUMN confirmed_at timestamptz(3) NOT NULL DEFAULT 'epoch'`;

export class ConfirmedSessions1795370962848 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(column);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE dashboard_sessions DROP COLUMN confirmed_at');
  }
}
