import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Beside its current key of a type, a sub-user may have former ones that a rotation left valid for a while. */
export class SubUserKeyRotation1763752000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP INDEX api_keys_of_sub_user;
      CREATE UNIQUE INDEX api_keys_of_sub_user ON api_keys (sub_user_id, type)
        WHERE sub_user_id IS NOT NULL AND superseded_at IS NULL;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DELETE FROM api_keys WHERE sub_user_id IS NOT NULL AND superseded_at IS NOT NULL;
      DROP INDEX api_keys_of_sub_user;
      CREATE UNIQUE INDEX api_keys_of_sub_user ON api_keys (sub_user_id, type) WHERE sub_user_id IS NOT NULL;
    `);
  }
}
