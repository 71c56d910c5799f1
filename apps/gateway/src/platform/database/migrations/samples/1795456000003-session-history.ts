import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The history of external sessions. `events`: the changes of state with their reasons. `session_samples`: measurements, a row a
 * minute (docs/decisions/samples-by-the-minute.md). It refers to no session: its rows go after two days.
 */
export class SessionHistory1795456000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE external_sessions ADD COLUMN events jsonb NOT NULL DEFAULT '[]'`);
    await queryRunner.query(`
CREATE TABLE session_samples (
  session_id text NOT NULL,
  minute timestamptz(3) NOT NULL,
  node_id text NOT NULL,
  samples real[] NOT NULL,
  PRIMARY KEY (session_id, minute, node_id)
);
CREATE INDEX session_samples_by_minute ON session_samples (minute)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE session_samples');
    await queryRunner.query('ALTER TABLE external_sessions DROP COLUMN events');
  }
}
