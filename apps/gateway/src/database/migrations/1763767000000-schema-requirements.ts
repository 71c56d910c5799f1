import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Migrations that a gateway must know to work with this schema, see `requireGateways`. */
export class SchemaRequirements1763767000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE schema_requirements (
        migration text PRIMARY KEY,
        added_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE schema_requirements');
  }
}
