import { once } from 'node:events';
import { createServer, request, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Request, Response } from 'express';
import { bodyReader, deferContinue } from './read-body.js';

const readBody = bodyReader(100);
let server: Server;

describe('the body of a request', () => {
  /** Reads the body only of a request with a token. */
  beforeEach(async () => {
    server = createServer((incoming, response) => {
      if (incoming.headers.authorization !== 'Bearer right') return void response.writeHead(401).end();
      void readBody(incoming as Request, response as unknown as Response).then(body => response.end(body));
    });
    deferContinue(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  function ask(token: string, headers: Record<string, string> = { expect: '100-continue' }): ClientRequest {
    const { port } = server.address() as AddressInfo;
    const all = { ...headers, authorization: `Bearer ${token}`, 'content-length': '5' };
    return request({ port, host: '127.0.0.1', method: 'POST', headers: all });
  }

  describe('a client that waits for 100 Continue', () => {
    it('receives 100 Continue once the body is read', async () => {
      const sent = ask('right');
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
      sent.flushHeaders();
      await once(sent, 'continue');
      sent.end('hello');
      const [response] = await answered;
      expect([response.statusCode, await text(response)]).toEqual([200, 'hello']);
    });

    it('is refused before it sends the body, and its connection closes', async () => {
      const sent = ask('wrong');
      const continued: string[] = [];
      sent.on('continue', () => continued.push('continue'));
      sent.flushHeaders();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      expect([response.statusCode, response.headers.connection, continued]).toEqual([401, 'close', []]);
      response.resume();
      await once(sent, 'close');
    });
  });

  it('reads the body of a client that does not wait', async () => {
    const sent = ask('right', {});
    sent.end('hello');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.statusCode, await text(response)]).toEqual([200, 'hello']);
  });
});
