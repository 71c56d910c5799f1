/**
 * Lists whose rows triggers count (`list_buckets`), by table: each with the properties that say whose list it is,
 * in the order in which the trigger joins their columns.
 */
const countedLists: Readonly<Record<string, readonly string[]>> = {
  accounts: [],
  rooms: ['accountID'],
  external_sessions: ['accountID', 'meetingID'],
  playbacks: ['accountID', 'meetingID'],
  broadcasts: ['accountID', 'meetingID'],
};

/** A bucket has the rows of one hour. */
const bucketMs = 3_600_000;

/** The scope that the triggers count under; undefined when the list is not counted, or filtered by anything else. */
export function countedScope(table: string, where: object): string | undefined {
  const names = countedLists[table];
  const given = new Map(Object.entries(where) as [string, unknown][]);
  if (given.size !== names?.length) return undefined;
  const values = names.map(name => given.get(name));
  return values.every(value => typeof value === 'string') ? values.join('/') : undefined;
}

/** The moment before which the rows of a bucket and of all older ones were made. */
export function bucketEnd(bucket: number): Date {
  return new Date((bucket + 1) * bucketMs);
}

/** Where a row stands; the large numbers travel as text. */
export interface Located {
  total: string;
  /** null: there are not that many rows. */
  bucket: number | null;
  /** How many rows of the bucket are newer. */
  skip: string | null;
}

/** Parameters: list, scope, how many rows are newer than the wanted one. */
export const locateStatement = `
WITH counts AS (SELECT bucket, sum(rows) AS rows FROM list_buckets WHERE list = $1 AND scope = $2 GROUP BY bucket),
  ranked AS (SELECT bucket, rows, sum(rows) OVER (ORDER BY bucket DESC) - rows AS newer FROM counts)
SELECT (SELECT coalesce(sum(rows), 0) FROM counts) AS total, found.bucket, $3::bigint - found.newer AS skip
FROM (SELECT 1) AS always
LEFT JOIN ranked AS found ON found.newer <= $3::bigint AND found.newer + found.rows > $3::bigint`;

/** One row for each bucket that is over, instead of one for each connection that wrote to it. */
export const foldStatement = `
WITH spread AS (
    SELECT ctid FROM list_buckets WHERE shard <> 0 AND bucket < $1 LIMIT 50000 FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM list_buckets USING spread WHERE list_buckets.ctid = spread.ctid RETURNING list, scope, bucket, rows
  )
INSERT INTO list_buckets AS kept (list, scope, bucket, shard, rows)
SELECT list, scope, bucket, 0, sum(rows) FROM gone GROUP BY list, scope, bucket
ON CONFLICT (list, scope, bucket, shard) DO UPDATE SET rows = kept.rows + excluded.rows`;

/** Buckets before this one are written to no more, save for deletions. */
export function openBucket(now: Date): number {
  return Math.floor(now.getTime() / bucketMs) - 1;
}
