import type { QueryRunner } from 'typeorm';

/** By name, the rest of CREATE INDEX after the name. */
export type IndexDefinitions = Readonly<Record<string, string>>;

/**
 * Builds indexes without blocking the gateways. Only for migrations with `transaction = false`. An interrupted migration may run
 * again.
 */
export async function buildIndexes(
  queryRunner: QueryRunner,
  indexes: IndexDefinitions,
  kind: '' | 'UNIQUE' = '',
): Promise<void> {
  // CREATE INDEX CONCURRENTLY waits for earlier transactions, and blocks none of them.
  await queryRunner.query('SET lock_timeout = 0');
  for (const [name, definition] of Object.entries(indexes)) {
    // An interrupted build leaves an invalid index.
    await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    await queryRunner.query(`CREATE ${kind} INDEX CONCURRENTLY ${name} ${definition}`);
  }
  await queryRunner.query('RESET lock_timeout');
}

export async function dropIndexes(queryRunner: QueryRunner, indexes: IndexDefinitions): Promise<void> {
  for (const name of Object.keys(indexes)) await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}
