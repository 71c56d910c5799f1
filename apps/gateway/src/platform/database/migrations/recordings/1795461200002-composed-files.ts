import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Recordings that are composed from the files of others. Gateways of the former version leave it empty. */
export class ComposedFiles1795461200002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE recordings ADD COLUMN source_recording_ids jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE recordings DROP COLUMN source_recording_ids');
  }
}
