import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = ['external_sessions', 'playbacks', 'broadcasts'];

/** The `reason` of DELETE; a column without a default costs no rewrite of the table. */
export class ReasonsOfDeletes1795359570001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables) await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN reason text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of tables) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN reason`);
  }
}
