import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Disposable keys may be bound to rooms and to a highest role. Columns without a default cost no rewrite of the table. */
export class KeyBounds1795363383218 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE disposable_keys ADD COLUMN meeting_ids text[], ADD COLUMN max_role text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE disposable_keys DROP COLUMN meeting_ids, DROP COLUMN max_role');
  }
}
