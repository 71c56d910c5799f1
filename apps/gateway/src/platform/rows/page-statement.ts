import type { Page } from './list-rows.js';
import { countedUnder, type ListSource } from './counted-lists.js';

/** From `from` on and before `to`. */
export interface Period {
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface PageStatement {
  sql: string;
  parameters: unknown[];
}

/** Buckets of a day. */
const dayWidth = 288;
const nothing = 'SELECT 0 AS bucket, 0 AS rows WHERE false';

class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

interface SourceParts {
  /** Condition of the source's rows in its own table. */
  rows: string;
  /** Rows by bucket that the counts do not have yet. A source without counts has all its rows here. */
  recent: string;
  /** undefined: the source has no counts. */
  counts: string | undefined;
}

function partsOf(source: ListSource, parameters: Parameters): SourceParts {
  const conditions = Object.entries(source.where).map(([column, value]) => `${column} = ${parameters.add(value)}`);
  const rows = conditions.join(' AND ') || 'true';
  const counted = countedUnder(source);
  if (!counted) {
    const recent = `SELECT list_bucket(created_at) AS bucket, 1 AS rows FROM ${source.table} WHERE ${rows}`;
    return { rows, recent, counts: undefined };
  }
  const facets = counted.facets.map(({ position, value }) => ` AND facets[${position}] = ${parameters.add(value)}`);
  const kept = `list = '${source.table}' AND scope = ${parameters.add(counted.scope)}${facets.join('')}`;
  return {
    rows,
    recent: `SELECT bucket, rows FROM list_changes WHERE ${kept}`,
    counts: `SELECT bucket, rows FROM list_counts WHERE ${kept}`,
  };
}

/** Finds the bucket of the row at `index`, counted from the newest row, and the number of newer rows in the bucket. */
function placeIn(buckets: string, index: string): string {
  return `SELECT bucket, ${index} - newer AS skip
  FROM (SELECT bucket, rows, sum(rows) OVER (ORDER BY bucket DESC) - rows AS newer FROM ${buckets}) AS ranked
  WHERE newer <= ${index} AND newer + rows > ${index} LIMIT 1`;
}

/** Counts the rows from the moment on. */
function countSince(moment: string, sources: readonly ListSource[], parts: readonly SourceParts[]): string {
  const bucket = `list_bucket(${moment})`;
  const dayEnd = `${bucket} / ${dayWidth} * ${dayWidth} + ${dayWidth}`;
  const newerOfDay = countsBetween(parts, 1, `bucket > ${bucket} AND bucket < ${dayEnd}`);
  const ofBucket = sources.map(
    ({ table }, index) => `SELECT count(*) AS rows FROM ${table} WHERE ${parts[index]?.rows}
    AND created_at >= ${moment} AND created_at < list_bucket_end(${bucket})`,
  );
  return `SELECT coalesce(sum(rows), 0) FROM (
    SELECT rows FROM days WHERE bucket >= ${dayEnd}
    UNION ALL SELECT rows FROM (${newerOfDay}) AS newer
    UNION ALL ${ofBucket.join('\n    UNION ALL ')}) AS since`;
}

function countsBetween(parts: readonly SourceParts[], width: number, condition: string): string {
  const counts = parts.flatMap(part => part.counts ?? []).map(each => `${each} AND width = ${width} AND ${condition}`);
  return [...counts, `SELECT bucket, rows FROM recent WHERE ${condition}`].join('\n    UNION ALL ');
}

/**
 * Reads the total and the ids of one page of all sources together, newest first, in one snapshot. Sums of days find the day in which
 * the page begins, and sums of its buckets find the bucket. From there PostgreSQL walks an index. Only within a bucket does a deeper
 * page cost more.
 */
export function pageStatement(sources: readonly ListSource[], page: Page, { from, to }: Period = {}): PageStatement {
  const parameters = new Parameters();
  const parts = sources.map(source => partsOf(source, parameters));
  const first = `${parameters.add(page.startIndex)}::bigint`;
  const moment = to && `${parameters.add(to)}::timestamptz`;
  const since = from && `${parameters.add(from)}::timestamptz`;
  const notBefore = since ? ` AND created_at >= ${since}` : '';
  const size = parameters.add(page.pageSize);
  const all = 'SELECT coalesce(sum(rows), 0) FROM days';
  const total = `(${since ? countSince(since, sources, parts) : all})${moment ? ` - (${countSince(moment, sources, parts)})` : ''}`;
  // Each source gives only the rows that may be on the page, along its index, so that the database sorts little.
  const entries = sources.map(
    ({ table }, index) => `(SELECT '${table}' AS "table", id, created_at FROM ${table}
    WHERE ${parts[index]?.rows} AND created_at < list_bucket_end(place.bucket)${notBefore}
    ORDER BY created_at DESC, id DESC LIMIT place.skip::bigint + ${size}::bigint)`,
  );
  const dayBuckets = `bucket >= day.bucket AND bucket < day.bucket + ${dayWidth}`;
  const sql = `
WITH recent AS MATERIALIZED (
    SELECT bucket, sum(rows) AS rows FROM (${[nothing, ...parts.map(part => part.recent)].join('\n    UNION ALL ')}) AS changed
    GROUP BY bucket
  ), days AS MATERIALIZED (
    SELECT bucket / ${dayWidth} * ${dayWidth} AS bucket, sum(rows) AS rows
    FROM (${countsBetween(parts, dayWidth, 'true')}) AS counted GROUP BY 1
  ), start AS MATERIALIZED (
    SELECT ${first}${moment ? ` + (${countSince(moment, sources, parts)})` : ''} AS index
  ), day AS MATERIALIZED (${placeIn('days', '(SELECT index FROM start)')}
  ), buckets AS MATERIALIZED (
    SELECT counted.bucket, sum(counted.rows) AS rows
    FROM day, LATERAL (${countsBetween(parts, 1, dayBuckets)}) AS counted GROUP BY 1
  ), place AS MATERIALIZED (${placeIn('buckets', '(SELECT skip FROM day)')}
  )
SELECT greatest(0, ${total})::float8 AS total, entry."table", entry.id
FROM (SELECT 1) AS always LEFT JOIN place ON true LEFT JOIN LATERAL (
    SELECT * FROM (${entries.join('\n    UNION ALL ')}) AS listed
    ORDER BY created_at DESC, id DESC OFFSET place.skip::bigint LIMIT ${size}
  ) AS entry ON true
ORDER BY entry.created_at DESC, entry.id DESC`;
  return { sql, parameters: parameters.values };
}
