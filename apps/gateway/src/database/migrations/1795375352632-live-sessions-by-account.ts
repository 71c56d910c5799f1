import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexes, dropIndexes } from '../concurrent-indexes.js';

/** The live sessions of an account are counted before another one opens. */
const indexes = {
  external_sessions_live_by_account: `ON external_sessions (account_id) WHERE state NOT IN ('ended', 'failed')`,
};

export class LiveSessionsByAccount1795375352632 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildIndexes(queryRunner, indexes);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndexes(queryRunner, indexes);
  }
}
