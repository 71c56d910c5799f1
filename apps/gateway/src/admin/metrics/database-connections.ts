import type { Pool } from 'pg';

export interface ConnectionCounts {
  /** Open, and at work. */
  active: number;
  /** Open, and at nobody's. */
  idle: number;
  /** Queries that wait for one. */
  waiting: number;
  /** As many are opened at most. */
  limit: number;
}

/** Counts the connections of a pool by what they do now. */
export function countConnections({ totalCount, idleCount: idle, waitingCount, options }: Pool): ConnectionCounts {
  // For a moment each request waits, also for one that is free; the question for these numbers itself is such a one.
  const isExhausted = idle === 0 && totalCount >= options.max;
  return { active: totalCount - idle, idle, waiting: isExhausted ? waitingCount : 0, limit: options.max };
}
