import type { DataSource, QueryRunner } from 'typeorm';

/** Any number that no other advisory lock of the gateway has. */
const reconcilerLock = 7_301_002;

/** Runs the work unless another replica of the gateway is at it; the lock goes with the connection. */
export async function underReconcilerLock(dataSource: DataSource, work: () => Promise<void>): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    if (!(await tryLock(runner))) return;
    await work();
    await runner.query('SELECT pg_advisory_unlock($1)', [reconcilerLock]);
  } finally {
    await runner.release();
  }
}

async function tryLock(runner: QueryRunner): Promise<boolean> {
  const rows: unknown = await runner.query('SELECT pg_try_advisory_lock($1) AS locked', [reconcilerLock]);
  return Array.isArray(rows) && (rows[0] as { locked?: unknown }).locked === true;
}
