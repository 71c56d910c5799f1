import type { DataSource, QueryRunner } from 'typeorm';

/** What one replica of the gateway does at a time; any numbers that no other advisory lock has. */
export const lockNumbers = {
  reconciler: 7_301_002,
  metering: 7_301_003,
  listCounts: 7_301_004,
  recordings: 7_301_005,
  memberBroadcasts: 7_301_006,
  retention: 7_301_007,
} as const;

/** Runs the work unless another replica of the gateway is at it; the lock goes with the connection. */
export async function underAdvisoryLock(
  dataSource: DataSource,
  name: keyof typeof lockNumbers,
  work: () => Promise<void>,
): Promise<void> {
  const lockNumber = lockNumbers[name];
  const runner = dataSource.createQueryRunner();
  try {
    if (!(await tryLock(runner, lockNumber))) return;
    await work().finally(() => unlock(runner, lockNumber));
  } finally {
    await runner.release();
  }
}

async function tryLock(runner: QueryRunner, lockNumber: number): Promise<boolean> {
  const rows: unknown = await runner.query('SELECT pg_try_advisory_lock($1) AS locked', [lockNumber]);
  return Array.isArray(rows) && (rows[0] as { locked?: unknown }).locked === true;
}

/** Fails only when the connection is lost, and the lock with it. */
async function unlock(runner: QueryRunner, lockNumber: number): Promise<void> {
  await runner.query('SELECT pg_advisory_unlock($1)', [lockNumber]).catch(() => undefined);
}
