import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { makeCertificates, type TestCertificates } from '@rtms/testing';
import { FrontDoor } from './front-door.js';

describe('the gateway’s door with a certificate', () => {
  let certificates: TestCertificates;
  let door: FrontDoor;
  beforeAll(async () => {
    certificates = makeCertificates();
    const { cert: certFile, key: keyFile } = certificates.server;
    door = await FrontDoor.open('127.0.0.1', 0, { certFile, keyFile });
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
