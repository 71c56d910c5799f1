/** @weight 0.4 for 8 s */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort, waitFor } from '@rtms/testing';
import { findServer } from '../../../tools/setup/unpacked-servers.mjs';

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

const configuration = ['--adapter', 'caddyfile', '--config', 'deploy/caddy/Caddyfile'];

function program(): string {
  const found = findServer('caddy', process.cwd(), process.env);
  if (!found) throw new Error('There is no Caddy: run npm run setup.');
  return found.path;
}

describe('Caddy with deploy/caddy/Caddyfile', () => {
  const folder = mkdtempSync(join(tmpdir(), `rtms-test-caddy-${process.pid}-`));
  const services: Server[] = [];
  let caddy: ChildProcess;
  let ports: { http: number; https: number; health: number };

  beforeAll(async () => {
    ports = { http: await freePort(), https: await freePort(), health: await freePort() };
    const [gateway, sfu, transcoder] = [await open('gateway'), await open('sfu'), await open('transcoder')];
    caddy = spawn('setpriv', ['--pdeathsig', 'KILL', program(), 'run', ...configuration], {
      stdio: 'ignore',
      env: {
        HOME: folder,
        XDG_DATA_HOME: folder,
        // Caddy's own CA issues certificates for this name.
        DOMAIN: 'localhost',
        HTTP_PORT: String(ports.http),
        HTTPS_PORT: String(ports.https),
        HEALTH_PORT: String(ports.health),
        PORT_IN_ADDRESS: `:${ports.https}`,
        GATEWAY: gateway,
        SFU: sfu,
        TRANSCODER: transcoder,
      },
    });
    await waitFor(() => get('/v1/rooms').then(Boolean, () => false), { everyMs: 50, what: 'Caddy to answer' });
  });

  afterAll(async () => {
    const ended = once(caddy, 'exit');
    caddy.kill('SIGTERM');
    await ended;
    for (const service of services) {
      service.closeAllConnections();
      service.close();
    }
    rmSync(folder, { recursive: true });
  });

  /** A service that answers its name, and what Caddy tells it. */
  async function open(name: string): Promise<string> {
    const server = createServer(({ headers, url }, response) => {
      const { host, 'x-forwarded-for': address, 'x-forwarded-proto': protocol } = headers;
      response.end(JSON.stringify({ name, url, host, address, protocol }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    services.push(server);
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const ca = readFileSync(join(folder, 'caddy/pki/authorities/local/root.crt'));
    const asked = request({ host: 'localhost', port: ports.https, path, ca, headers, agent: false }).end();
    const [response] = (await once(asked, 'response')) as [
      Parameters<typeof text>[0] & Answer & { statusCode: number },
    ];
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  }

  it.each([
    ['/v1/rooms', 'gateway'],
    ['/v1/socket/?transport=websocket', 'gateway'],
    ['/dashboard', 'gateway'],
    ['/dashboard/assets/x.js', 'gateway'],
    ['/docs', 'gateway'],
    ['/openapi.json', 'gateway'],
    ['/whip/ext_1', 'sfu'],
    ['/whep/play_1/key/events', 'sfu'],
    ['/hls/bcast_1/index.m3u8?token=t', 'transcoder'],
    ['/recordings/rec_1', 'transcoder'],
  ])('passes %s to the %s', async (path, name) => {
    const { status, body } = await get(path, { 'X-Forwarded-For': '192.0.2.1' });
    const host = `localhost:${ports.https}`;
    // The client's own X-Forwarded-For is dropped.
    expect([status, JSON.parse(body)]).toEqual([
      200,
      { name, url: path, host, address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/), protocol: 'https' },
    ]);
  });

  it.each(['/admin/v1/accounts', '/admin', '/metrics', '/healthz', '/v1admin'])('passes %s to nobody', async path => {
    expect(await get(path)).toMatchObject({ status: 404, body: '' });
  });

  it('leads from / to the dashboard, and from HTTP to HTTPS', async () => {
    expect(await get('/')).toMatchObject({ status: 302, headers: { location: '/dashboard' } });
    const plain = await fetch(`http://localhost:${ports.http}/v1/rooms?limit=1`, { redirect: 'manual' });
    const target = `https://localhost:${ports.https}/v1/rooms?limit=1`;
    expect([plain.status, plain.headers.get('location')]).toEqual([308, target]);
    expect((await fetch(`http://127.0.0.1:${ports.health}/healthz`)).status).toBe(200);
  });

  it('names no port in the redirect to HTTPS unless PORT_IN_ADDRESS does', () => {
    const env = { DOMAIN: 'live.example.org', HOME: folder };
    const adapted = execFileSync(program(), ['adapt', ...configuration], { env, encoding: 'utf8', stdio: 'pipe' });
    expect(adapted).toContain('"Location":["https://{http.request.host}{http.request.uri}"]');
  });
});
