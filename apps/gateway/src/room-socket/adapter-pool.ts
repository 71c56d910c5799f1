import type { Closeable } from '@rtms/bus';
import { createAdapter } from '@socket.io/postgres-adapter';
import pg from 'pg';

export interface AdapterPool extends Closeable {
  adapter: ReturnType<typeof createAdapter>;
}

/** One connection listens, the others tell. */
const connections = 3;
const connectTimeoutMs = 3_000;

/**
 * The connections of socket.io's adapter, apart from those of requests, since one of them is never given back. The
 * adapter tries to connect for ever: once this is closed, it waits for a connection that never comes.
 */
export function openAdapterPool(url: string, onError: (error: Error) => void): AdapterPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'rtms-gateway-sockets',
    keepAlive: true,
  });
  const clients = new Set<pg.PoolClient>();
  let closing: Promise<void> | undefined;
  const never = new Promise<pg.PoolClient>(() => undefined);
  const connect = async (): Promise<pg.PoolClient> => (closing ? never : pool.connect());
  const source = { connect, query: (text: string, values?: unknown[]) => pool.query(text, values) };
  pool.on('error', onError);
  pool.on('connect', client => {
    client.on('error', onError);
    client.once('end', () => clients.delete(client));
    clients.add(client);
    if (closing) void client.end();
  });
  // The adapter may hold a connection that it never gives back, so the pool itself would never be at its end.
  const closeAll = async (): Promise<void> => {
    void pool.end();
    await Promise.all([...clients].map(client => client.end()));
  };
  return {
    adapter: createAdapter(source as unknown as pg.Pool, { errorHandler: onError }),
    close: () => (closing ??= closeAll()),
  };
}
