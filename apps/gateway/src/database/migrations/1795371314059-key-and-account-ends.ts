import type { MigrationInterface, QueryRunner } from 'typeorm';

/** They go with their rooms. By a reference to the account as well, removing an account would read all of each table. */
const goWithRooms = ['participants', 'external_sessions', 'playbacks', 'broadcasts'];

/** Main keys can be disabled, accounts deleted. Of keys that were made before, the last four characters are not known. */
export class KeyAndAccountEnds1795371314059 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE api_keys ADD COLUMN disabled_at timestamptz(3);
      ALTER TABLE accounts ADD COLUMN deleted_at timestamptz(3);
      CREATE INDEX accounts_disabled ON accounts (id) WHERE state = 'disabled';
      CREATE INDEX accounts_deleted ON accounts (deleted_at) WHERE deleted_at IS NOT NULL;
      UPDATE api_keys SET masked_key = masked_key || '…' WHERE length(masked_key) = 8;
      UPDATE disposable_keys SET masked_key = masked_key || '…' WHERE length(masked_key) = 8;
    `);
    for (const table of goWithRooms) {
      await queryRunner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${table}_account_id_fkey`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of goWithRooms) {
      await queryRunner.query(
        `ALTER TABLE ${table} ADD FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE`,
      );
    }
    await queryRunner.query(`
      UPDATE api_keys SET masked_key = left(masked_key, 8);
      UPDATE disposable_keys SET masked_key = left(masked_key, 8);
      DROP INDEX accounts_disabled, accounts_deleted;
      ALTER TABLE accounts DROP COLUMN deleted_at;
      ALTER TABLE api_keys DROP COLUMN disabled_at;
    `);
  }
}
