import { Injectable } from '@nestjs/common';
import type { Addition } from '@rtms/http';
import { DataSource } from 'typeorm';

interface Row {
  subject: string;
  window_start: string;
  count: number;
}

/** One row for each subject; a new window resets it. Rows in one order prevent a deadlock of two replicas. */
const addStatement = `
INSERT INTO rate_limit_counts AS kept (subject, window_start, count)
SELECT * FROM unnest($1::text[], $2::bigint[], $3::integer[]) AS added (subject, window_start, count) ORDER BY 1
ON CONFLICT (subject) DO UPDATE SET
  window_start = greatest(kept.window_start, excluded.window_start),
  count = CASE WHEN kept.window_start > excluded.window_start THEN kept.count
    WHEN kept.window_start = excluded.window_start THEN kept.count + excluded.count
    ELSE excluded.count END
RETURNING subject, window_start, count`;

/** The counts of all replicas. The table is not logged: after a crash of the database every count is zero. */
@Injectable()
export class RateLimitCountsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async add(additions: readonly Addition[]): Promise<Addition[]> {
    const rows = await this.dataSource.query<Row[]>(addStatement, [
      additions.map(({ subject }) => subject),
      additions.map(({ windowStart }) => windowStart),
      additions.map(({ count }) => count),
    ]);
    return rows.map(({ subject, window_start, count }) => ({ subject, windowStart: Number(window_start), count }));
  }

  /** Deletes the subjects whose last window began before a time. */
  async forget(windowStart: number): Promise<void> {
    await this.dataSource.query('DELETE FROM rate_limit_counts WHERE window_start < $1', [windowStart]);
  }
}
