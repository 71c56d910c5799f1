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
  let closing: Promise<void> | undefined;
  const never = new Promise<pg.PoolClient>(() => undefined);
  const connect = async (): Promise<pg.PoolClient> => {
    if (closing) return never;
    const client = await pool.connect();
    client.on('error', onError);
    if (!closing) return client;
    client.release(true);
    return never;
  };
  const source = { connect, query: (text: string, values?: unknown[]) => pool.query(text, values) };
  pool.on('error', onError);
  return {
    adapter: createAdapter(source as unknown as pg.Pool, { errorHandler: onError }),
    close: () => (closing ??= pool.end()),
  };
}
