import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexes, dropIndexes } from '../concurrent-indexes.js';

/** The removal of an account deletes its usage first. */
const indexes = { usage_intervals_by_account: 'ON usage_intervals (account_id)' };

export class UsageByAccount1795371991395 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildIndexes(queryRunner, indexes);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndexes(queryRunner, indexes);
  }
}
