import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Broadcasts whose viewers can seek back. The default is for gateways of the former version. */
export class BroadcastDvr1795456850001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE broadcasts ADD COLUMN dvr_seconds integer NOT NULL DEFAULT 0');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE broadcasts DROP COLUMN dvr_seconds');
  }
}
