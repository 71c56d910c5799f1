import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many rows each list has for each hour. Connections write to shards of their own, so that two requests that add
 * to one list at the same time do not wait for each other; shards of hours that are over are folded into one.
 */
const bucketsTable = `
CREATE TABLE list_buckets (
  list text NOT NULL,
  scope text NOT NULL,
  bucket integer NOT NULL,
  shard integer NOT NULL,
  rows bigint NOT NULL,
  PRIMARY KEY (list, scope, bucket, shard)
) WITH (fillfactor = 50);
CREATE INDEX list_buckets_to_fold ON list_buckets (bucket) WHERE shard <> 0;
`;

const shards = 32;

/** Table → what says whose list a row is part of. */
const lists: Readonly<Record<string, string>> = {
  accounts: `''`,
  rooms: 'account_id',
  external_sessions: `account_id || '/' || meeting_id`,
  playbacks: `account_id || '/' || meeting_id`,
  broadcasts: `account_id || '/' || meeting_id`,
};

function addition(table: string, scope: string, source: string, rows: string): string {
  return `
INSERT INTO list_buckets AS kept (list, scope, bucket, shard, rows)
SELECT '${table}', ${scope}, floor(extract(epoch FROM created_at) / 3600)::integer, 1 + pg_backend_pid() % ${shards}, ${rows}
FROM ${source} GROUP BY 2, 3 ORDER BY 2, 3
ON CONFLICT (list, scope, bucket, shard) DO UPDATE SET rows = kept.rows + excluded.rows`;
}

function counting([table, scope]: [string, string]): string {
  return `
CREATE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN ${addition(table, scope, 'changed', 'count(*)')};
  ELSE ${addition(table, scope, 'changed', '-count(*)')};
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();
CREATE TRIGGER ${table}_removed AFTER DELETE ON ${table} REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();
${addition(table, scope, table, 'count(*)')};
`;
}

/** Indexes that have all that is needed to find the ids of a page, with the filters of lists. */
const indexes = `
CREATE INDEX accounts_by_time ON accounts (created_at DESC, id DESC);
DROP INDEX rooms_by_account;
CREATE INDEX rooms_by_account ON rooms (account_id, created_at DESC, id DESC) INCLUDE (state, event_type, room_name);
CREATE INDEX rooms_active_by_account ON rooms (account_id, created_at DESC, id DESC)
  INCLUDE (state, event_type, room_name) WHERE state = 'active';
${['external_sessions', 'playbacks', 'broadcasts']
  .map(
    table => `
DROP INDEX ${table}_by_room;
CREATE INDEX ${table}_by_room ON ${table} (meeting_id, created_at DESC, id DESC) INCLUDE (account_id);`,
  )
  .join('')}
`;

const formerIndexes = `
DROP INDEX accounts_by_time, rooms_by_account, rooms_active_by_account;
CREATE INDEX rooms_by_account ON rooms (account_id, created_at DESC, id DESC);
${['external_sessions', 'playbacks', 'broadcasts']
  .map(
    table => `
DROP INDEX ${table}_by_room;
CREATE INDEX ${table}_by_room ON ${table} (meeting_id, created_at DESC, id DESC);`,
  )
  .join('')}
`;

export class ListBuckets1763735000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(bucketsTable);
    for (const list of Object.entries(lists)) await queryRunner.query(counting(list));
    await queryRunner.query(indexes);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of Object.keys(lists)) await queryRunner.query(`DROP FUNCTION count_${table} CASCADE`);
    await queryRunner.query(formerIndexes);
    await queryRunner.query('DROP TABLE list_buckets');
  }
}
