import { patienceMs } from '@rtms/testing';
import type { Pool } from 'pg';

/** The pool has no event for a connection that failed to open, so this polls as well. */
const lookAgainMs = 50;

/**
 * Resolves when all connections of a gateway to its database are idle, so that its work is done. Returns whether the
 * gateway had work.
 */
export async function settleQueries(pools: readonly Pool[]): Promise<boolean> {
  const end = Date.now() + patienceMs;
  let hadWork = false;
  for (;;) {
    // Code that awaited a query continues in this turn and requests its next connection in it.
    await turnOfTheEventLoop();
    const busy = pools.find(pool => !isIdle(pool));
    if (!busy) return hadWork;
    if (Date.now() > end) throw new Error(`the gateway has been busy with its database for ${patienceMs} ms`);
    hadWork = true;
    await nextRelease(busy);
  }
}

function isIdle({ totalCount, idleCount, waitingCount }: Pool): boolean {
  return totalCount === idleCount && waitingCount === 0;
}

function nextRelease(pool: Pool): Promise<void> {
  return new Promise(resolve => {
    const end = (): void => {
      clearTimeout(timer);
      pool.off('release', end);
      resolve();
    };
    const timer = setTimeout(end, lookAgainMs);
    pool.once('release', end);
  });
}

function turnOfTheEventLoop(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
