import type { MigrationInterface, QueryRunner } from 'typeorm';
import { noteTriggers } from './outbox.sql.js';

/** Each trigger has a transaction of its own, so that the migration never holds the locks of two tables. It may run again. */
export class AccountEventTriggers1795456100002 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of noteTriggers) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of noteTriggers) {
      const [, name = '', table = ''] = /TRIGGER (\w+) .* ON (\w+) FOR/.exec(statement) ?? [];
      await queryRunner.query(`DROP TRIGGER IF EXISTS ${name} ON ${table}`);
    }
  }
}
