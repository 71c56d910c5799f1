import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Images that broadcasts show while their source is lost. Gateways of the former version leave both columns empty. */
export class SlateImages1795460200002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE broadcasts ADD COLUMN slate_image_url text, ADD COLUMN slate_problem text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE broadcasts DROP COLUMN slate_image_url, DROP COLUMN slate_problem');
  }
}
