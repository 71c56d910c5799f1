import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { EventLog } from '@rtms/testing';
import { answerBrokenRequests } from './listen.js';
import { boundConnections, boundReceiving, type ConnectionLimits } from './connection-bounds.js';

const servers: Server[] = [];
const clients: Socket[] = [];

async function start(configure: (server: Server) => void): Promise<Server> {
  const server = createServer((_request, response) => response.end('taken'));
  answerBrokenRequests(server);
  configure(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return server;
}

function open(server: Server): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  clients.push(socket);
  return socket;
}

describe('a server with bounds', () => {
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    for (const server of servers.splice(0)) {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    }
  });

  describe('the time to send a request', () => {
    const quick = { headersMs: 30, requestMs: 60, checkMs: 10 };

    it.each([
      ['nothing', ''],
      ['half of its headers', 'POST / HTTP/1.1\r\nHost: x\r\n'],
      ['half of its body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhello'],
    ])('is over for a client that sent %s', async (_case, sent) => {
      const server = await start(each => {
        boundReceiving(each, quick);
        each.removeAllListeners('request');
        each.on('request', request => request.resume());
      });
      const socket = open(server);
      socket.write(sent);
      const answer = await text(socket);
      expect(answer).toContain('HTTP/1.1 408 ');
      expect(answer).toContain('request_timeout');
    });

    it('is checked every 2 s instead of every 30 s', async () => {
      const server = await start(each => boundReceiving(each));
      expect(server).toMatchObject({
        headersTimeout: 10_000,
        requestTimeout: 30_000,
        connectionsCheckingInterval: 2_000,
      });
    });
  });

  describe('the time of an idle connection', () => {
    const idleTimeOf = async (server: Server): Promise<string | undefined> => {
      const socket = open(server);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      const [answer] = (await once(socket, 'data')) as [Buffer];
      return /Keep-Alive: (\S+)/.exec(String(answer))?.[1];
    };

    it('is longer than that of proxies, but short while more than half of the connections are open', async () => {
      const server = await start(each => {
        boundReceiving(each);
        boundConnections(each, { maxConnections: 4, maxConnectionsPerAddress: 0 }, () => false);
      });
      const times = [await idleTimeOf(server), await idleTimeOf(server), await idleTimeOf(server)];
      expect(times).toEqual(['timeout=125', 'timeout=125', 'timeout=5']);
    });
  });

  describe('concurrent connections', () => {
    const refusals = new EventLog<[string, string | undefined]>();
    const startWith = (limits: ConnectionLimits, isTrusted = () => false) => {
      refusals.all.length = 0;
      return start(server =>
        boundConnections(server, limits, isTrusted, (limit, address) => refusals.add([limit, address])),
      );
    };
    const ask = async (server: Server): Promise<string> => {
      const socket = open(server);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      return text(socket).catch(() => '');
    };
    const hold = async (server: Server, count: number): Promise<Socket[]> => {
      const sockets: Socket[] = [];
      for (let index = 0; index < count; index += 1) {
        const accepted = once(server, 'connection');
        sockets.push(open(server));
        await accepted;
      }
      return sockets;
    };

    it('are limited per address until one closes', async () => {
      const server = await startWith({ maxConnections: 0, maxConnectionsPerAddress: 3 });
      const [first] = await hold(server, 3);
      expect(await ask(server)).toBe('');
      expect(refusals.all).toEqual([['maxConnectionsPerAddress', '127.0.0.1']]);
      const closed = new Promise(resolve => server.once('connection', socket => socket.once('close', resolve)));
      first?.destroy();
      // The server may learn of the end a turn later than the client.
      while (server.listening && (await connectionsOf(server)) > 2) await new Promise(setImmediate);
      expect(await ask(server)).toContain('taken');
      await closed;
    });

    it('are limited for the whole server', async () => {
      const server = await startWith({ maxConnections: 2, maxConnectionsPerAddress: 0 });
      await hold(server, 2);
      expect(await ask(server)).toBe('');
      expect(refusals.all).toEqual([['maxConnections', '127.0.0.1']]);
    });

    it('are not counted for a trusted proxy', async () => {
      const server = await startWith({ maxConnections: 0, maxConnectionsPerAddress: 1 }, () => true);
      await hold(server, 5);
      expect(await ask(server)).toContain('taken');
    });

    it('are unlimited at a limit of 0', async () => {
      const server = await startWith({ maxConnections: 0, maxConnectionsPerAddress: 0 });
      await hold(server, 5);
      expect(await ask(server)).toContain('taken');
    });
  });

  function connectionsOf(server: Server): Promise<number> {
    return new Promise((resolve, reject) => {
      server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  }
});
