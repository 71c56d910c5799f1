import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ServiceSecrets1763721000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE service_secrets (name text PRIMARY KEY, sealed bytea NOT NULL)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE service_secrets');
  }
}
