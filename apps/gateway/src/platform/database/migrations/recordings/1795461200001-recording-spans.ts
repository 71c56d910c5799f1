import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the media of a file was recorded: a composition of several files needs it. Gateways of the former version leave it empty. */
export class RecordingSpans1795461200001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE recordings ADD COLUMN spans jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE recordings DROP COLUMN spans');
  }
}
