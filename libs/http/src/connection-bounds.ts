import type { Server } from 'node:http';
import type { DropArgument, Socket } from 'node:net';
import { clientOf } from './client-address.js';

export interface ConnectionLimits {
  /** Open connections of the whole server, and of one client, see `clientOf`; 0: no limit. */
  maxConnections: number;
  maxConnectionsPerAddress: number;
}

export interface ReceiveTimes {
  /** Milliseconds from the opening of a connection, or the first byte of a further request, to the end of its headers. */
  headersMs: number;
  /** … to the end of its body. */
  requestMs: number;
  /** How often Node looks for requests that are late. */
  checkMs: number;
}

const receiveTimes: ReceiveTimes = { headersMs: 10_000, requestMs: 30_000, checkMs: 2_000 };

/**
 * Bounds how long a client may take to send a request: a slow one gets 408 `request_timeout`. By itself Node allows
 * 60 s for the headers and 300 s for the body, and looks every 30 s. Call it before the server listens.
 */
export function boundReceiving(server: Server, times = receiveTimes): void {
  server.headersTimeout = times.headersMs;
  server.requestTimeout = times.requestMs;
  // An option of `createServer`, which Nest does not pass on; Node reads it when the server begins to listen.
  Object.assign(server, { connectionsCheckingInterval: times.checkMs });
}

export type ConnectionLimit = keyof ConnectionLimits;

/**
 * Closes connections above the limits at once, before anything is read of them. Connections of trusted proxies count for
 * the whole server only, as they carry the requests of many clients.
 */
export function boundConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: ConnectionLimits,
  isTrusted: (address: string) => boolean,
  onRefusal: (limit: ConnectionLimit, address: string | undefined) => void = () => undefined,
): void {
  if (maxConnections > 0) server.maxConnections = maxConnections;
  server.on('drop', (data?: DropArgument) => onRefusal('maxConnections', data?.remoteAddress));
  if (maxConnectionsPerAddress === 0) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isTrusted(remoteAddress)) return;
    const client = clientOf(remoteAddress);
    const count = open.get(client) ?? 0;
    if (count >= maxConnectionsPerAddress) {
      socket.destroy();
      return onRefusal('maxConnectionsPerAddress', remoteAddress);
    }
    open.set(client, count + 1);
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1;
      if (left > 0) open.set(client, left);
      else open.delete(client);
    });
  });
}
