import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Broadcasts whose viewers can seek back, and images that broadcasts show while their source is lost. The default is for gateways of the
 * former version, which leave the other columns empty.
 */
export class BroadcastDvrAndSlates1795460200002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
ALTER TABLE broadcasts
  ADD COLUMN dvr_seconds integer NOT NULL DEFAULT 0,
  ADD COLUMN slate_image_url text,
  ADD COLUMN slate_problem text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
ALTER TABLE broadcasts
  DROP COLUMN dvr_seconds,
  DROP COLUMN slate_image_url,
  DROP COLUMN slate_problem`);
  }
}
