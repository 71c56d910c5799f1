import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rooms keep a place for their creator. Rooms that run already have none to keep. */
export class RoomCreators1795359570002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE rooms ADD COLUMN creator_id text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE rooms DROP COLUMN creator_id');
  }
}
