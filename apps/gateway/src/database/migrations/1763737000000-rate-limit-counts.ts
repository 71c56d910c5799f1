import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts of a minute are not worth a write-ahead log. */
const countsTable = `
CREATE UNLOGGED TABLE rate_limit_counts (
  subject text PRIMARY KEY,
  window_start bigint NOT NULL,
  count integer NOT NULL
) WITH (fillfactor = 50);
`;

export class RateLimitCounts1763737000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(countsTable);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE rate_limit_counts');
  }
}
