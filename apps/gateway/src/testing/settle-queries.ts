import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { countConnections } from '../metrics/database-connections.js';

/** A connection that could not be opened tells nobody, so this looks again after so long. */
const lookAgainMs = 50;
const giveUpAfterMs = 60_000;

/**
 * Resolves when all connections of a gateway to its database are idle: what it had in hand is done, with all that this
 * set off. True: there was something.
 */
export async function settleQueries(database: DataSource): Promise<boolean> {
  const end = Date.now() + giveUpAfterMs;
  let hadWork = false;
  for (;;) {
    // Code that waited for a query goes on in this turn, and asks for its next connection in it.
    await turnOfTheEventLoop();
    if (isIdle(database)) return hadWork;
    if (Date.now() > end) throw new Error(`the gateway has been busy with its database for ${giveUpAfterMs} ms`);
    hadWork = true;
    await nextRelease(database);
  }
}

function isIdle(database: DataSource): boolean {
  return countConnections(database).active === 0 && poolOf(database).waitingCount === 0;
}

function nextRelease(database: DataSource): Promise<void> {
  const pool = poolOf(database);
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

/** TypeORM's driver for PostgreSQL calls its pool so, and has no type for it. */
function poolOf(database: DataSource): Pool {
  return (database.driver as unknown as { master: Pool }).master;
}

function turnOfTheEventLoop(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
