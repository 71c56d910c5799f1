import type { Server } from 'node:http';
import type { DropArgument, Socket } from 'node:net';
import { clientOf } from './addresses/client-address.js';

export interface ConnectionLimits {
  /** Open connections of the server and of one client (`clientOf`); 0: unlimited. */
  maxConnections: number;
  maxConnectionsPerAddress: number;
}

export interface ReceiveTimes {
  /** ms from the start of the connection, or the first byte of a later request, to the end of the headers. */
  headersMs: number;
  /** ms from the same start to the end of the body. */
  requestMs: number;
  /** ms between two checks for late requests. */
  checkMs: number;
}

const receiveTimes: ReceiveTimes = { headersMs: 10_000, requestMs: 30_000, checkMs: 2_000 };

/**
 * A proxy must close its idle connections first. Otherwise it may send a request on a connection that the server has just closed, and
 * answer 502, because it must not repeat a POST. Caddy keeps them for 120 s, nginx and AWS for 60 s. Node's default is 5 s.
 */
const idleMs = 125_000;
/** While more than half of the allowed connections are open, so that idle ones do not keep others out. */
const shortIdleMs = 5_000;

/**
 * Limits the time to send a request; a slow client gets 408 `request_timeout`. Node's defaults are 60 s for the headers, 300 s
 * for the body and a check every 30 s. An idle connection may stay open for 125 s. Call it before the server listens.
 */
export function boundReceiving(server: Server, times = receiveTimes): void {
  server.headersTimeout = times.headersMs;
  server.requestTimeout = times.requestMs;
  server.keepAliveTimeout = idleMs;
  // Nest does not pass this option to `createServer`. Node reads it when the server starts to listen.
  Object.assign(server, { connectionsCheckingInterval: times.checkMs });
}

export type ConnectionLimit = keyof ConnectionLimits;

/**
 * Closes connections above the limits before it reads from them. A trusted proxy counts only against the server's limit,
 * because its connections carry requests of many clients.
 */
export function boundConnections(
  server: Server,
  { maxConnections, maxConnectionsPerAddress }: ConnectionLimits,
  isTrusted: (address: string) => boolean,
  onRefusal: (limit: ConnectionLimit, address: string | undefined) => void = () => undefined,
): void {
  if (maxConnections > 0) {
    server.maxConnections = maxConnections;
    shortenIdleTime(server, maxConnections / 2);
  }
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

/** Node reads the time after each answer. */
function shortenIdleTime(server: Server, mostIdle: number): void {
  let open = 0;
  const count = (change: 1 | -1) => {
    open += change;
    server.keepAliveTimeout = open > mostIdle ? shortIdleMs : idleMs;
  };
  server.on('connection', (socket: Socket) => {
    count(1);
    socket.once('close', () => count(-1));
  });
}
