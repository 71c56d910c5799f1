import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { connect, type Socket } from 'node:net';
import { EventLog, makeCertificates, type TestCertificates } from '@rtms/testing';
import { FrontDoor, type FrontDoorOptions } from './front-door.js';

describe('the gateway’s door with a certificate', () => {
  let certificates: TestCertificates;
  let door: FrontDoor;
  beforeAll(async () => {
    certificates = makeCertificates();
    const { cert: certFile, key: keyFile } = certificates.server;
    door = await FrontDoor.open('127.0.0.1', 0, { tls: { certFile, keyFile } });
  });
  afterAll(async () => {
    await door.close();
    certificates.remove();
  });

  const ask = (path: string, headers: Record<string, string> = {}) =>
    get({
      ...{ host: 'localhost', port: door.port, path, headers },
      ca: readFileSync(certificates.ca),
      agent: false,
    });

  it('answers over HTTPS from the first moment', async () => {
    const [response] = (await once(ask('/healthz'), 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(200);
  });

  it('hands over requests and sockets', async () => {
    door.handOver((_request, response) => response.writeHead(204).end(), {
      accepts: ({ headers }) => headers.upgrade === 'test',
      handleUpgrade: (_request, socket) =>
        void socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n'),
    });
    const [response] = (await once(ask('/'), 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(204);
    const [upgraded] = (await once(ask('/', { Connection: 'Upgrade', Upgrade: 'test' }), 'upgrade')) as [
      { statusCode: number },
    ];
    expect(upgraded.statusCode).toBe(101);
    const [ordinary] = (await once(ask('/', { Connection: 'Upgrade', Upgrade: 'h2c' }), 'response')) as [
      { statusCode: number; resume(): void },
    ];
    ordinary.resume();
    expect(ordinary.statusCode).toBe(204);
  });
});

describe('the gateway’s door', () => {
  const clients: Socket[] = [];
  const refused = new EventLog<string>();
  let door: FrontDoor;

  const open = async (options: FrontDoorOptions): Promise<void> => {
    door = await FrontDoor.open('127.0.0.1', 0, { ...options, onRefusal: refused.add });
    door.handOver(
      (request, response) => {
        if (request.headers.authorization === undefined) response.writeHead(401).end();
        else response.writeHead(204).end();
      },
      {
        accepts: ({ headers }) => headers.upgrade === 'test',
        handleUpgrade: (_request, socket) => {
          socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n');
          clients.push(socket as Socket);
        },
      },
    );
  };
  /** The first bytes of the answer on a connection that stays open; undefined: the door closed it. */
  const ask = async (head: string): Promise<string | undefined> => {
    const socket = connect(door.port, '127.0.0.1');
    clients.push(socket);
    socket.on('error', () => undefined);
    socket.write(`${head}\r\nHost: x\r\n\r\n`);
    const closed = once(socket, 'close').then(() => undefined);
    const answered = once(socket, 'data').then(([bytes]) => String(bytes));
    answered.catch(() => undefined);
    return Promise.race([answered, closed]);
  };
  const get = 'GET / HTTP/1.1';
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await door.close();
    refused.all.length = 0;
  });

  it('closes the connections of one address above its limit, and counts those of room sockets', async () => {
    await open({ limits: { maxConnections: 0, maxConnectionsPerAddress: 2 } });
    expect(await ask(`${get}\r\nConnection: Upgrade\r\nUpgrade: test`)).toMatch(/^HTTP\/1.1 101 /);
    expect(await ask(get)).toMatch(/^HTTP\/1.1 401 /);
    expect(await ask(get)).toBeUndefined();
    expect(refused.all).toEqual(['maxConnectionsPerAddress']);
  });

  it('counts the connections of a trusted proxy for the whole server only', async () => {
    const limits = { maxConnections: 3, maxConnectionsPerAddress: 1 };
    await open({ limits, trustedProxies: ['loopback'] });
    for (let index = 0; index < 3; index += 1) expect(await ask(get)).toMatch(/^HTTP\/1.1 401 /);
    expect(await ask(get)).toBeUndefined();
    expect(refused.all).toEqual(['maxConnections']);
  });

  it('refuses a stranger before the body: its client still waits for 100 Continue', async () => {
    await open({});
    const head = 'POST / HTTP/1.1\r\nContent-Length: 200000\r\nExpect: 100-continue';
    expect(await ask(head)).toMatch(/^HTTP\/1.1 401 /);
  });
});
