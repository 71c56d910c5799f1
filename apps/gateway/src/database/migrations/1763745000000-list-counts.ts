import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ListBuckets1763735000000 } from './1763735000000-list-buckets.js';

/** Five minutes. */
const bucketSeconds = 300;
/** A day. */
const coarseWidth = 288;

/**
 * Triggers only add to list_changes, so that no two transactions wait for each other there; the gateway moves what it
 * finds into list_counts: rows of one bucket (width 1) and of a whole day.
 */
const countTables = `
CREATE TABLE list_changes (
  list text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  facets text[] COLLATE "C" NOT NULL,
  bucket integer NOT NULL,
  rows integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX list_changes_of_list ON list_changes (list, scope);

CREATE TABLE list_counts (
  list text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  width integer NOT NULL,
  bucket integer NOT NULL,
  facets text[] COLLATE "C" NOT NULL,
  rows bigint NOT NULL,
  PRIMARY KEY (list, scope, width, bucket, facets)
) WITH (fillfactor = 80);
-- Few rows are days; without knowing so the planner takes a page for dear enough to be compiled (JIT).
CREATE STATISTICS list_counts_by_width (mcv) ON list, scope, width FROM list_counts;

CREATE FUNCTION list_bucket(at timestamptz) RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE
  RETURN floor(date_part('epoch', at) / ${bucketSeconds})::integer;
CREATE FUNCTION list_bucket_end(bucket integer) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  RETURN to_timestamp((bucket + 1) * ${bucketSeconds}::float8);
`;

export interface CountedTable {
  table: string;
  /** Columns that say whose list a row is in; it may be in several. */
  scopes: readonly (readonly string[])[];
  /** Columns that a list is filtered by. */
  facets: readonly string[];
}

const ofAccount = [['account_id']];
const ofRoom = [['account_id', 'meeting_id']];
const ofAccountAndRoom = [...ofAccount, ...ofRoom];

const countedTables: readonly CountedTable[] = [
  { table: 'accounts', scopes: [[]], facets: [] },
  { table: 'rooms', scopes: ofAccount, facets: ['state', 'event_type'] },
  { table: 'external_sessions', scopes: ofRoom, facets: [] },
  { table: 'playbacks', scopes: ofRoom, facets: [] },
  { table: 'broadcasts', scopes: ofRoom, facets: [] },
  { table: 'recordings', scopes: ofAccountAndRoom, facets: ['state'] },
  { table: 'room_messages', scopes: ofAccountAndRoom, facets: [] },
  { table: 'sip_calls', scopes: ofAccountAndRoom, facets: [] },
  { table: 'disposable_keys', scopes: ofAccount, facets: [] },
  { table: 'sub_users', scopes: ofAccount, facets: [] },
  { table: 'domains', scopes: ofAccount, facets: [] },
  { table: 'ai_credentials', scopes: ofAccount, facets: ['kind'] },
  { table: 'agents', scopes: ofAccount, facets: [] },
  { table: 'sip_configs', scopes: ofAccount, facets: [] },
  { table: 'translation_configs', scopes: ofAccount, facets: [] },
];

const columnsOf = (row: string, columns: readonly string[]): string[] => columns.map(column => `${row}.${column}`);

function scopesOf(row: string, scopes: CountedTable['scopes']): string {
  return `unnest(ARRAY[${scopes.map(columns => columnsOf(row, columns).join(` || '/' || `) || `''`).join(', ')}])`;
}

function facetsOf(row: string, facets: readonly string[]): string {
  return `ARRAY[${columnsOf(row, facets).join(', ')}]::text[] COLLATE "C"`;
}

/** `count_…` for its triggers, and `recount_…`, which counts the whole of it anew. */
export function countingFunctions({ table, scopes, facets }: CountedTable): string {
  const change = (row: string, rows: number) => `
    INSERT INTO list_changes (list, scope, facets, bucket, rows)
    SELECT '${table}', scope, ${facetsOf(row, facets)}, list_bucket(${row}.created_at), ${rows}
    FROM ${scopesOf(row, scopes)} AS scope WHERE scope IS NOT NULL;`;
  return `
CREATE OR REPLACE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN ${change('OLD', -1)}
  END IF;
  IF TG_OP <> 'DELETE' THEN ${change('NEW', 1)}
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION recount_${table}() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE ${table}, list_changes, list_counts IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM list_changes WHERE list = '${table}';
  DELETE FROM list_counts WHERE list = '${table}';
  INSERT INTO list_counts (list, scope, width, bucket, facets, rows)
  SELECT '${table}', scope, width, bucket / width * width, facets, sum(rows) FROM (
      SELECT (scope COLLATE "C") AS scope, list_bucket(listed.created_at) AS bucket, ${facetsOf('listed', facets)} AS facets,
        count(*) AS rows
      FROM ${table} AS listed, ${scopesOf('listed', scopes)} AS scope WHERE scope IS NOT NULL GROUP BY 1, 2, 3
    ) AS counted, (VALUES (1), (${coarseWidth})) AS widths (width)
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5;
END $$;
`;
}

/** Has the list counted from now on. */
export function counting(counted: CountedTable): string {
  const { table, scopes, facets } = counted;
  const watched = [...new Set([...scopes.flat(), ...facets, 'created_at'])];
  const watchedOf = (row: string) => `(${columnsOf(row, watched).join(', ')})`;
  return `${countingFunctions(counted)}
CREATE TRIGGER ${table}_counted AFTER INSERT OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION count_${table}();
CREATE TRIGGER ${table}_recounted AFTER UPDATE OF ${watched.join(', ')} ON ${table} FOR EACH ROW
  WHEN (${watchedOf('OLD')} IS DISTINCT FROM ${watchedOf('NEW')}) EXECUTE FUNCTION count_${table}();
SELECT recount_${table}();
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

const addedIndexes = ['accounts_by_time', 'rooms_active_by_account'];

/** In place of the counts by the hour, which knew neither filters nor the lists of most tables. */
export class ListCounts1763745000000 implements MigrationInterface {
  private readonly former = new ListBuckets1763735000000();

  async up(queryRunner: QueryRunner): Promise<void> {
    await this.former.down(queryRunner);
    await queryRunner.query(indexes);
    await queryRunner.query(countTables);
    for (const counted of countedTables) await queryRunner.query(counting(counted));
    await queryRunner.query('ANALYZE list_counts');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { table } of countedTables)
      await queryRunner.query(`DROP FUNCTION count_${table}, recount_${table} CASCADE`);
    await queryRunner.query('DROP FUNCTION list_bucket, list_bucket_end');
    await queryRunner.query(`DROP TABLE list_counts, list_changes`);
    await queryRunner.query(`DROP INDEX ${addedIndexes.join(', ')}`);
    await this.former.up(queryRunner);
  }
}
