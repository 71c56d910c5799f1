import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';

export interface ConnectionCounts {
  /** Open, and at work. */
  active: number;
  /** Open, and at nobody's. */
  idle: number;
  /** Requests that wait for one. */
  waiting: number;
  /** As many are opened at most. */
  limit: number;
}

/** What the pool of connections to PostgreSQL does now. */
export function countConnections(database: DataSource): ConnectionCounts {
  const { totalCount, idleCount: idle, waitingCount, options } = poolOf(database);
  // For a moment each request waits, also for one that is free; the question for these numbers itself is such a one.
  const isExhausted = idle === 0 && totalCount >= options.max;
  return { active: totalCount - idle, idle, waiting: isExhausted ? waitingCount : 0, limit: options.max };
}

/** TypeORM's driver for PostgreSQL calls its pool so, and has no type for it. */
export function poolOf(database: DataSource): Pool {
  return (database.driver as unknown as { master: Pool }).master;
}
