import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndexes, dropIndexes } from './concurrent-indexes.js';

const indexes = {
  recordings_one_per_room:
    "ON recordings (meeting_id) WHERE composition IS NOT NULL AND state IN ('starting', 'recording')",
  broadcasts_one_per_layout: `ON broadcasts (meeting_id, (composition->>'layout'))
    WHERE composition IS NOT NULL AND state NOT IN ('ended', 'failed')`,
};

/** Checks the rows and builds the indexes without blocking the gateways. */
export class CompositionsIndexed1795456500002 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE broadcasts VALIDATE CONSTRAINT broadcasts_one_source');
    await buildIndexes(queryRunner, indexes, 'UNIQUE');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndexes(queryRunner, indexes);
  }
}
