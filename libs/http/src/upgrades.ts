import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerBrokenRequests } from './answer-broken-requests.js';
import { boundReceiving, type ReceiveTimes } from './connection-bounds.js';

/** Takes connections that go on as something else than HTTP. */
export interface UpgradeTaker {
  accepts(request: IncomingMessage): boolean;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** What `takeUpgrades` adds to a server's lifetime: connections that Node no longer counts as the server's. */
export interface Upgrades {
  closeIdleConnections(): void;
  closeAllConnections(): void;
}

/** They speak of the upgrade itself, which does not happen. */
const upgradeHeaders = ['connection', 'upgrade', 'http2-settings'];

/**
 * Hands over the requests to upgrade that the taker accepts, and answers all others as if they had not asked: a server may
 * ignore the Upgrade header (RFC 9110 section 7.8), and Java's HTTP client sends `Upgrade: h2c` with every first request.
 *
 * Node gives each request with that header to the `upgrade` listener as soon as there is one, without its body and with
 * the parser gone. So the head is written anew without the header, and a second server reads the connection from there.
 * `times` bounds how long such a request may take to arrive.
 */
export function takeUpgrades(server: Server, taker: UpgradeTaker, times?: ReceiveTimes): Upgrades {
  const ordinary = createServer();
  answerBrokenRequests(ordinary);
  boundReceiving(ordinary, times);
  // Node looks for late requests from this event on. Without it a client escapes the times by an Upgrade header.
  ordinary.emit('listening');
  ordinary.on('request', (request, response) => server.emit('request', request, response));
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (taker.accepts(request)) return taker.handleUpgrade(request, socket, head);
    socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]));
    ordinary.emit('connection', socket);
  });
  // Ends the look for late requests.
  server.once('close', () => ordinary.close());
  return {
    closeIdleConnections: () => ordinary.closeIdleConnections(),
    closeAllConnections: () => ordinary.closeAllConnections(),
  };
}

/** Header names and values are latin1 in Node, so that each byte is written as it came. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!upgradeHeaders.includes(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
