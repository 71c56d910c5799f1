import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sums of the usage that is not charged yet, for an account, a type of key and a kind of minutes; the sum over its rows
 * counts. `running` intervals go on, and are charged up to `running_from_ms` altogether; ended ones have `ended_ms` left.
 * Triggers only add rows, so that no two transactions wait for each other; the gateway folds them.
 */
const table = `
CREATE TABLE unsettled_usage (
  account_id text NOT NULL,
  key_type text NOT NULL,
  recording boolean NOT NULL,
  running bigint NOT NULL,
  running_from_ms bigint NOT NULL,
  ended_ms bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX unsettled_usage_of_account ON unsettled_usage (account_id, key_type);
`;

const msOf = (time: string) => `(EXTRACT(EPOCH FROM ${time}) * 1000)::bigint`;

/** The sums of the rows, times `sign`. */
const sums = (rows: string, sign: 1 | -1) => `
SELECT account_id, key_type, kind = 'recording' AS recording,
  ${sign} * count(*) FILTER (WHERE ended_at IS NULL) AS running,
  ${sign} * COALESCE(sum(${msOf('metered_until')}) FILTER (WHERE ended_at IS NULL), 0) AS running_from_ms,
  ${sign} * COALESCE(sum(${msOf('ended_at')} - ${msOf('metered_until')}) FILTER (WHERE ended_at IS NOT NULL), 0) AS ended_ms
FROM ${rows} WHERE NOT settled GROUP BY 1, 2, 3`;

const addition = (select: string) => `
INSERT INTO unsettled_usage (account_id, key_type, recording, running, running_from_ms, ended_ms)
SELECT account_id, key_type, recording, sum(running), sum(running_from_ms), sum(ended_ms) FROM (${select}) AS changes
GROUP BY 1, 2, 3 HAVING sum(running) <> 0 OR sum(running_from_ms) <> 0 OR sum(ended_ms) <> 0;`;

const trigger = (event: string, transitions: string, select: string) => `
CREATE FUNCTION sum_usage_on_${event.toLowerCase()}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN ${addition(select)}
  RETURN NULL;
END $$;
CREATE TRIGGER usage_summed_on_${event.toLowerCase()} AFTER ${event} ON usage_intervals REFERENCING ${transitions}
  FOR EACH STATEMENT EXECUTE FUNCTION sum_usage_on_${event.toLowerCase()}();
`;

const added = sums('new_rows', 1);
const removed = sums('old_rows', -1);

const events = ['insert', 'update', 'delete'];

export class RunningUsage1763770000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(table);
    // Nobody writes between the triggers' making, which waits for those who do, and the first sums.
    await queryRunner.query(trigger('INSERT', 'NEW TABLE AS new_rows', added));
    const both = 'OLD TABLE AS old_rows NEW TABLE AS new_rows';
    await queryRunner.query(trigger('UPDATE', both, `${added} UNION ALL ${removed}`));
    await queryRunner.query(trigger('DELETE', 'OLD TABLE AS old_rows', removed));
    await queryRunner.query(addition(sums('usage_intervals', 1)));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const event of events) {
      await queryRunner.query(`DROP TRIGGER usage_summed_on_${event} ON usage_intervals`);
      await queryRunner.query(`DROP FUNCTION sum_usage_on_${event}`);
    }
    await queryRunner.query('DROP TABLE unsettled_usage');
  }
}
