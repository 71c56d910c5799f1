/** Five minutes. */
const bucketSeconds = 300;
/** A day. */
const coarseWidth = 288;

interface CountedTable {
  table: string;
  /** Columns that say which list a row is in. A row may be in several lists. */
  scopes: readonly (readonly string[])[];
  /** Columns that a list can be filtered by. */
  facets: readonly string[];
}

const ofAccount = [['account_id']];
const ofRoom = [['account_id', 'meeting_id']];
const ofAccountAndRoom = [...ofAccount, ...ofRoom];

const tables: readonly CountedTable[] = [
  { table: 'accounts', scopes: [[]], facets: [] },
  { table: 'rooms', scopes: ofAccount, facets: ['state', 'event_type', 'key_type'] },
  { table: 'external_sessions', scopes: ofRoom, facets: [] },
  { table: 'playbacks', scopes: ofRoom, facets: [] },
  { table: 'broadcasts', scopes: ofRoom, facets: [] },
  { table: 'recordings', scopes: ofAccountAndRoom, facets: ['state', 'key_type'] },
  { table: 'deleted_recordings', scopes: ofAccountAndRoom, facets: ['key_type'] },
  { table: 'room_messages', scopes: ofAccountAndRoom, facets: ['key_type'] },
  { table: 'sip_calls', scopes: ofAccountAndRoom, facets: ['key_type'] },
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

/** `count_…` for the triggers, and `recount_…`, which counts the whole table again. */
function countingFunctions({ table, scopes, facets }: CountedTable): string {
  const change = (row: string, rows: number) => `
    INSERT INTO list_changes (list, scope, facets, bucket, rows)
    SELECT '${table}', scope, ${facetsOf(row, facets)}, list_bucket(${row}.created_at), ${rows}
    FROM ${scopesOf(row, scopes)} AS scope WHERE scope IS NOT NULL;`;
  return `
CREATE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN ${change('OLD', -1)}
  END IF;
  IF TG_OP <> 'DELETE' THEN ${change('NEW', 1)}
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION recount_${table}() RETURNS void LANGUAGE plpgsql AS $$
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

/** The environment of a row never changes: the trigger need not watch `key_type`. */
function countingTriggers({ table, scopes, facets }: CountedTable): string {
  const watched = [...new Set([...scopes.flat(), ...facets.filter(facet => facet !== 'key_type'), 'created_at'])];
  const watchedOf = (row: string) => `(${columnsOf(row, watched).join(', ')})`;
  return `
CREATE TRIGGER ${table}_counted AFTER INSERT OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION count_${table}();
CREATE TRIGGER ${table}_recounted AFTER UPDATE OF ${watched.join(', ')} ON ${table} FOR EACH ROW
  WHEN (${watchedOf('OLD')} IS DISTINCT FROM ${watchedOf('NEW')}) EXECUTE FUNCTION count_${table}();
`;
}

/** Counts of the rows of each list, see docs/decisions/counted-lists.md. Triggers of the listed tables keep them. */
export const countedLists = `
-- Triggers only add rows here, so that no two transactions wait for each other.
CREATE TABLE list_changes (
  list text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  facets text[] COLLATE "C" NOT NULL,
  bucket integer NOT NULL,
  rows integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX list_changes_of_list ON list_changes (list, scope);

-- The gateway moves the changes here: rows of one bucket (width 1) and rows of a whole day (width ${coarseWidth}).
CREATE TABLE list_counts (
  list text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  width integer NOT NULL,
  bucket integer NOT NULL,
  facets text[] COLLATE "C" NOT NULL,
  rows bigint NOT NULL,
  PRIMARY KEY (list, scope, width, bucket, facets)
) WITH (fillfactor = 80);
-- Few rows are days. Without this statistic the planner overestimates the cost of a page and compiles the query (JIT).
CREATE STATISTICS list_counts_by_width (mcv) ON list, scope, width FROM list_counts;
-- PostgreSQL assumes ten pages of rows in an empty table that was never analyzed.
ANALYZE list_counts;

CREATE FUNCTION list_bucket(at timestamptz) RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE
  RETURN floor(date_part('epoch', at) / ${bucketSeconds})::integer;
CREATE FUNCTION list_bucket_end(bucket integer) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
  RETURN to_timestamp((bucket + 1) * ${bucketSeconds}::float8);
${tables.map(table => countingFunctions(table) + countingTriggers(table)).join('')}`;
