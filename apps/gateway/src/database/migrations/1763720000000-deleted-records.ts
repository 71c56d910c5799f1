import type { MigrationInterface, QueryRunner } from 'typeorm';

export class DeletedRecords1763720000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE deleted_records (
        account_id text NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        id text NOT NULL,
        deleted_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (account_id, id)
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE deleted_records');
  }
}
