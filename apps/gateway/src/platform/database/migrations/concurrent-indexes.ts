import type { QueryRunner } from 'typeorm';

/** Name → what follows it in CREATE INDEX. */
export type IndexDefinitions = Readonly<Record<string, string>>;

/**
 * Builds indexes beside the work of the gateways: nobody waits for one of a large table. Only for migrations with
 * `transaction = false`; one that was broken off may be run again.
 */
export async function buildIndexes(
  queryRunner: QueryRunner,
  indexes: IndexDefinitions,
  kind: '' | 'UNIQUE' = '',
): Promise<void> {
  // The building waits for transactions that began before it, and holds up none of them.
  await queryRunner.query('SET lock_timeout = 0');
  for (const [name, definition] of Object.entries(indexes)) {
    // One whose building was cut short is there and of no use.
    await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await queryRunner.query(`CREATE ${kind} INDEX CONCURRENTLY ${name} ${definition}`);
  }
  await queryRunner.query('RESET lock_timeout');
}

export async function dropIndexes(queryRunner: QueryRunner, indexes: IndexDefinitions): Promise<void> {
  for (const name of Object.keys(indexes)) await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}
