import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ReceiveTimes } from './connection-bounds.js';
import { takeUpgrades, type UpgradeTaker, type Upgrades } from './upgrades.js';

describe('takeUpgrades', () => {
  let server: Server;
  let upgrades: Upgrades;

  /** By default no request ends by its time, however busy the machine is. */
  const start = async (times?: ReceiveTimes): Promise<void> => {
    server = createServer((request, response) => {
      text(request).then(
        body => response.end(`${request.method} ${request.url} ${body}`),
        () => undefined,
      );
    });
    const taker: UpgradeTaker = {
      accepts: ({ headers }) => headers.upgrade === 'websocket',
      handleUpgrade: (_request, socket) => void socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    };
    upgrades = takeUpgrades(server, taker, times);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  };
  afterEach(async () => {
    const closed = once(server, 'close');
    server.close();
    upgrades.closeAllConnections();
    await closed;
  });

  const open = () => connect((server.address() as AddressInfo).port, '127.0.0.1');
  const h2c = 'Host: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';

  it('passes an accepted upgrade to the taker', async () => {
    await start();
    const socket = open();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await expect(text(socket)).resolves.toMatch(/^HTTP\/1\.1 101/);
  });

  it('answers a declined upgrade as an ordinary request with its body', async () => {
    await start();
    const socket = open();
    socket.write(`POST /v1/rooms HTTP/1.1\r\n${h2c}Content-Length: 4\r\n\r\nbo`);
    socket.write('dy');
    socket.write('GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const answers = await text(socket);
    expect(answers).toContain('POST /v1/rooms body');
    expect(answers).toContain('GET /last ');
  });

  it('handles several upgrade requests of one connection', async () => {
    await start();
    const socket = open();
    for (const path of ['/1', '/2']) {
      socket.write(`GET ${path} HTTP/1.1\r\n${h2c}\r\n`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toContain(`GET ${path}`);
    }
    socket.end();
    await once(socket, 'close');
  });

  it('answers malformed HTTP after a declined upgrade with a failure', async () => {
    await start();
    const socket = open();
    socket.write(`GET / HTTP/1.1\r\n${h2c}\r\nno such method\r\n\r\n`);
    await expect(text(socket)).resolves.toMatch(/400 Bad Request[^]*"success":false/);
  });

  it('limits the time of a declined upgrade request', async () => {
    await start({ headersMs: 500, requestMs: 500, checkMs: 50 });
    const socket = open();
    socket.write(`POST / HTTP/1.1\r\n${h2c}Content-Length: 10\r\n\r\nhalf`);
    const answer = await text(socket);
    expect(answer).toContain('HTTP/1.1 408 ');
    expect(answer).toContain('request_timeout');
  });

  it('closes the connections that it took over', async () => {
    await start();
    const socket = open();
    socket.write(`GET / HTTP/1.1\r\n${h2c}\r\n`);
    await once(socket, 'data');
    const ended = once(socket, 'close');
    upgrades.closeIdleConnections();
    await ended;
    expect(socket.destroyed).toBe(true);
  });
});
