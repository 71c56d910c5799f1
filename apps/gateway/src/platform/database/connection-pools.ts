import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { DataSource } from 'typeorm';

export type PoolName = 'requests' | 'background';

/** Connections of the background's pool. */
const backgroundConnections = 8;
/** Background work may wait for a connection longer than a request. */
const backgroundWaitMs = 15_000;

const context = new AsyncLocalStorage<PoolName>();

/** Runs work with the connections of the background's pool, so that requests always find a free connection. */
export function inBackground<Result>(work: () => Result): Result {
  return context.run('background', work);
}

/** The pool that the work of the caller uses. */
export function currentPool(): PoolName {
  return context.getStore() ?? 'requests';
}

/** The part of TypeORM's driver for PostgreSQL that has no type. */
interface PooledDriver {
  master: pg.Pool;
  background?: pg.Pool;
  obtainMasterConnection(): Promise<[pg.PoolClient, () => void]>;
}

/** Gives a connected DataSource a second pool for `inBackground`. The pool ends with the DataSource. */
export function addBackgroundPool(dataSource: DataSource): DataSource {
  const driver = driverOf(dataSource);
  const { options } = driver.master;
  const background = new pg.Pool({
    ...options,
    // Not enumerable in the options of the first pool.
    password: options.password,
    max: backgroundConnections,
    connectionTimeoutMillis: backgroundWaitMs,
  });
  for (const listener of driver.master.listeners('error')) background.on('error', listener as (error: Error) => void);
  driver.background = background;
  const obtain = driver.obtainMasterConnection.bind(driver);
  driver.obtainMasterConnection = async () => {
    if (currentPool() === 'requests') return obtain();
    const client = await background.connect();
    return [client, () => client.release()];
  };
  const destroy = dataSource.destroy.bind(dataSource);
  dataSource.destroy = async () => {
    await destroy();
    await background.end();
  };
  return dataSource;
}

export function poolsOf(dataSource: DataSource): Record<PoolName, pg.Pool> {
  const { master, background } = driverOf(dataSource);
  return { requests: master, background: background ?? master };
}

function driverOf(dataSource: DataSource): PooledDriver {
  return dataSource.driver as unknown as PooledDriver;
}
