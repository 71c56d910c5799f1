import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Recordings that are also stored as HLS. The default is for gateways of the former version. */
export class RecordingsHls1795460300001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE recordings ADD COLUMN add_hls boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE recordings DROP COLUMN add_hls');
  }
}
