import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerBrokenRequests } from './listen.js';
import { boundReceiving, type ReceiveTimes } from './connection-bounds.js';

/** Handles upgraded connections, for example WebSockets. */
export interface UpgradeTaker {
  accepts(request: IncomingMessage): boolean;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Closes connections that the Node server no longer tracks. */
export interface Upgrades {
  closeIdleConnections(): void;
  closeAllConnections(): void;
}

/** Headers of the upgrade that is declined. */
const upgradeHeaders = ['connection', 'upgrade', 'http2-settings'];

/**
 * Passes accepted upgrade requests to the taker and answers all others as ordinary requests. A server may ignore the Upgrade
 * header (RFC 9110 section 7.8), and Java's HTTP client sends `Upgrade: h2c` with every first request.
 *
 * With an `upgrade` listener, Node detaches its parser from every request that has this header. So this function writes
 * the head again without the header, and a second server parses the connection. `times` limits the time for such a request
 * to arrive.
 */
export function takeUpgrades(server: Server, taker: UpgradeTaker, times?: ReceiveTimes): Upgrades {
  const ordinary = createServer();
  answerBrokenRequests(ordinary);
  boundReceiving(ordinary, times);
  // Node starts its check for late requests at this event. Without the check, an Upgrade header would evade the time limits.
  ordinary.emit('listening');
  ordinary.on('request', (request, response) => server.emit('request', request, response));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (taker.accepts(request)) return taker.handleUpgrade(request, socket, head);
    socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]));
    ordinary.keepAliveTimeout = server.keepAliveTimeout;
    ordinary.emit('connection', socket);
  });
  // Stops the check for late requests.
  server.once('close', () => ordinary.close());
  return {
    closeIdleConnections: () => ordinary.closeIdleConnections(),
    closeAllConnections: () => ordinary.closeAllConnections(),
  };
}

/** Node decodes headers as latin1, so latin1 restores the original bytes. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!upgradeHeaders.includes(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
