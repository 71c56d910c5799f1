import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { repositoryRoot } from '../setup/repository.mjs';

const script = join(repositoryRoot, 'tools/images/health-check.mjs');

async function check(env: Record<string, string>, ...args: string[]): Promise<number> {
  const [code] = await once(spawn(process.execPath, [script, ...args], { env, stdio: 'ignore' }), 'exit');
  return code as number;
}

describe('the health check of an image', () => {
  let server: Server;
  let port: string;
  let asked: string[];
  let status: number;

  beforeEach(async () => {
    asked = [];
    status = 200;
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = String((server.address() as AddressInfo).port);
  });

  afterEach(() => void server.close());

  it('passes while the service is ready', async () => {
    expect(await check({ HOST: '0.0.0.0', PORT: port })).toBe(0);
    expect(asked).toEqual(['/readyz']);
  });

  it('fails while the service is not ready, or drains', async () => {
    status = 503;
    expect(await check({ HOST: '0.0.0.0', PORT: port })).toBe(1);
  });

  it('fails when nobody answers', async () => {
    expect(await check({ PORT: '1' })).toBe(1);
  });

  it('asks at the management port if there is one', async () => {
    expect(await check({ HOST: '127.0.0.1', PORT: '1', MANAGEMENT_PORT: port, TLS_CERT_FILE: '/none' })).toBe(0);
  });

  it('asks for another path on request', async () => {
    expect(await check({ PORT: port }, '/healthz')).toBe(0);
    expect(asked).toEqual(['/healthz']);
  });
});
