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
  // TypeORM's driver for PostgreSQL calls its pool so, and has no type for it.
  const { master: pool } = database.driver as unknown as { master: Pool };
  const { totalCount, idleCount: idle, waitingCount: waiting, options } = pool;
  return { active: totalCount - idle, idle, waiting, limit: options.max };
}
