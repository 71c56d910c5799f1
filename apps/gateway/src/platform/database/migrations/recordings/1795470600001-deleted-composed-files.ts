import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deleted recordings that were composed from the files of others. Gateways of the former version leave it false. */
export class DeletedComposedFiles1795470600001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE deleted_recordings ADD COLUMN is_composed_of_files boolean NOT NULL DEFAULT false',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE deleted_recordings DROP COLUMN is_composed_of_files');
  }
}
