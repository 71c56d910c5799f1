import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, unwatchFile, watchFile } from 'node:fs';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { makeCertificates, type TestCertificates } from '@rtms/testing';
import { createServer, listen, tlsServerOptions } from './index.js';

@Module({})
class Nothing {}

const run = promisify(execFile);

describe('a server with a certificate', () => {
  let first: TestCertificates;
  let second: TestCertificates;
  beforeAll(() => {
    [first, second] = [makeCertificates(), makeCertificates()];
  });
  afterAll(() => {
    first.remove();
    second.remove();
  });

  const ask = (port: number, ca: string): Promise<string> =>
    new Promise(resolve => {
      const request = get({ host: 'localhost', port, ca: readFileSync(ca), agent: false }, response => {
        response.resume();
        resolve(String(response.statusCode));
      });
      request.once('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
    });

  /** Resolves when the server has seen a change of the file: listeners are called in the order of their registration. */
  const changed = (file: string): Promise<void> =>
    new Promise(resolve => {
      const seen = (): void => {
        unwatchFile(file, seen);
        resolve();
      };
      watchFile(file, { interval: 20 }, seen);
    });

  it('answers clients that trust it, takes a renewed certificate over, and keeps the former while the new is not whole', async () => {
    const files = { certFile: first.server.cert, keyFile: first.server.key };
    const server = createServer(files, 20);
    server.on('request', (_request, response) => response.writeHead(204).end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    expect([await ask(port, first.ca), await ask(port, second.ca)]).toEqual(['204', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']);
    const [newCertificate, newKey] = [changed(first.server.cert), changed(first.server.key)];
    copyFileSync(second.server.cert, first.server.cert);
    await newCertificate;
    expect(await ask(port, first.ca)).toBe('204');
    copyFileSync(second.server.key, first.server.key);
    await newKey;
    expect(await ask(port, second.ca)).toBe('204');
    server.close();
    await once(server, 'close');
  });

  it('serves an application at an https address, also to nodes with a private CA', async () => {
    const files = { certFile: second.server.cert, keyFile: second.server.key };
    const app = await NestFactory.create(Nothing, { httpsOptions: tlsServerOptions(files), logger: false });
    const { url, port } = await listen(app, '127.0.0.1', 0, { tls: files });
    expect(url).toBe(`https://127.0.0.1:${port}`);
    expect(await ask(port, second.ca)).toBe('404');
    const program = `fetch('${url}').then(answer => console.log(answer.status), error => console.log(error.cause.code))`;
    const inNode = async (ca: string): Promise<string> => {
      const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: ca };
      return (await run(process.execPath, ['-e', program], { env })).stdout.trim();
    };
    expect([await inNode(second.ca), await inNode('')]).toEqual(['404', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']);
    await app.close();
  });

  it('refuses TLS versions before 1.2', async () => {
    const { server: own } = second;
    const server = createServer({ certFile: own.cert, keyFile: own.key });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = connect({
      port,
      host: 'localhost',
      ca: readFileSync(second.ca),
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
    });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toMatch(/protocol|version/i);
    server.close();
    await once(server, 'close');
  });

  it('names an unreadable file', () => {
    const files = { certFile: '/nothing/there.pem', keyFile: second.server.key };
    expect(() => tlsServerOptions(files)).toThrow('TLS_CERT_FILE: /nothing/there.pem cannot be read');
  });
});
