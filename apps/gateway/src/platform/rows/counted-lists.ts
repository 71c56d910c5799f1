interface CountedList {
  /** Columns that select the list of a row, in the order in which the triggers join them. */
  scopes: readonly (readonly string[])[];
  /** Columns that a list can be filtered by, in the order of the array that the triggers write. */
  facets: readonly string[];
}

const ofAccount = [['account_id']];
const ofRoom = [['account_id', 'meeting_id']];
const ofAccountAndRoom = [...ofAccount, ...ofRoom];

/** Lists whose rows triggers count, by table. The migrations create the triggers with the same columns. */
const countedLists: Readonly<Record<string, CountedList>> = {
  accounts: { scopes: [[]], facets: [] },
  rooms: { scopes: ofAccount, facets: ['state', 'event_type', 'key_type'] },
  external_sessions: { scopes: ofRoom, facets: [] },
  playbacks: { scopes: ofRoom, facets: [] },
  broadcasts: { scopes: ofRoom, facets: [] },
  recordings: { scopes: ofAccountAndRoom, facets: ['state', 'key_type'] },
  deleted_recordings: { scopes: ofAccountAndRoom, facets: ['key_type'] },
  room_messages: { scopes: ofAccountAndRoom, facets: ['key_type'] },
  sip_calls: { scopes: ofAccountAndRoom, facets: ['key_type'] },
  disposable_keys: { scopes: ofAccount, facets: [] },
  sub_users: { scopes: ofAccount, facets: [] },
  domains: { scopes: ofAccount, facets: [] },
  ai_credentials: { scopes: ofAccount, facets: ['kind'] },
  agents: { scopes: ofAccount, facets: [] },
  sip_configs: { scopes: ofAccount, facets: [] },
  translation_configs: { scopes: ofAccount, facets: [] },
};

/** The rows of a table whose columns have the given values. */
export interface ListSource {
  table: string;
  where: Readonly<Record<string, string>>;
}

/** The key of a list's counts. */
interface CountedUnder {
  scope: string;
  /** Position in the array of facets, from 1, and its value. */
  facets: readonly { position: number; value: string }[];
}

/** Returns undefined if no counts exist for this table or this filter: the rows must be counted. */
export function countedUnder({ table, where }: ListSource): CountedUnder | undefined {
  const list = countedLists[table];
  const given = Object.keys(where);
  const scope = list?.scopes.find(
    columns =>
      columns.every(column => given.includes(column)) &&
      given.every(column => columns.includes(column) || list.facets.includes(column)),
  );
  if (!list || !scope) return undefined;
  const filters = Object.entries(where).filter(([column]) => !scope.includes(column));
  return {
    scope: scope.map(column => where[column]).join('/'),
    facets: filters.map(([column, value]) => ({ position: list.facets.indexOf(column) + 1, value })),
  };
}

const changesAtOnce = 10_000;

/** Finds a row if one fold is not enough. */
export const manyChangesStatement = `SELECT 1 FROM list_changes OFFSET ${changesAtOnce} LIMIT 1`;

/** Moves changes into the counts. One statement, so that no reader sees a row counted twice or not at all. */
export const foldStatement = `
WITH taken AS (
    DELETE FROM list_changes WHERE ctid = ANY(ARRAY(SELECT ctid FROM list_changes LIMIT ${changesAtOnce}))
    RETURNING list, scope, facets, bucket, rows
  ), changed AS (
    SELECT list, scope, facets, width, bucket / width * width AS bucket, sum(rows) AS rows
    FROM taken, (VALUES (1), (288)) AS widths (width) GROUP BY 1, 2, 3, 4, 5
  )
MERGE INTO list_counts AS kept USING changed
  ON kept.list = changed.list AND kept.scope = changed.scope AND kept.width = changed.width
    AND kept.bucket = changed.bucket AND kept.facets = changed.facets
WHEN MATCHED AND kept.rows + changed.rows = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET rows = kept.rows + changed.rows
WHEN NOT MATCHED AND changed.rows <> 0 THEN INSERT (list, scope, width, bucket, facets, rows)
  VALUES (changed.list, changed.scope, changed.width, changed.bucket, changed.facets, changed.rows)`;
