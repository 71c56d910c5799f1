import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allOf } from '../setup/start-failure.mjs';
import { chooseProxy, describeProxy, proxyEnvironment } from './https-proxy.mjs';
import { ownPort, portProblemMessage, reserveServicePorts, wantedPort } from './ports.mjs';

const anyPorts = { GATEWAY_PORT: '0', SFU_PORT: '0', TRANSCODER_PORT: '0', INGEST_PORT: '0' };

async function occupy(port = 0): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

describe('the port of a service', () => {
  it.each([
    ['gateway', {}, 4000],
    ['sfu', {}, 4001],
    ['transcoder', {}, 4002],
    ['ingest', {}, 4003],
    ['gateway', { GATEWAY_PORT: '5000' }, 5000],
    ['sfu', { SFU_PORT: '0' }, 0],
    ['sfu', { SFU_PORT: '' }, 4001],
  ] as const)('of the %s with %o is %d', (service, env, port) => {
    expect(wantedPort(service, env)).toBe(port);
  });

  it.each(['http', '-1', '70000', '80.5', '4000 '])('cannot be %j', text => {
    expect(() => wantedPort('gateway', { GATEWAY_PORT: text })).toThrow(/GATEWAY_PORT/);
  });
});

describe('a port that is not available', () => {
  it('is named in one line, with the variable to set', () => {
    const message = portProblemMessage('sfu', 4001, 'EADDRINUSE');
    expect(message).toMatch(/Port 4001 is in use.*sfu.*SFU_PORT/);
    expect(message).not.toContain('\n');
  });

  it('stops the start', async () => {
    const { server, port } = await occupy();
    const env = { ...anyPorts, TRANSCODER_PORT: String(port) };
    await expect(reserveServicePorts('127.0.0.1', env)).rejects.toThrow(`Port ${port} is in use`);
    server.close();
  });

  it('is named together with the others', async () => {
    const [first, second] = [await occupy(), await occupy()];
    const env = { ...anyPorts, GATEWAY_PORT: String(first.port), TRANSCODER_PORT: String(second.port) };
    await expect(reserveServicePorts('127.0.0.1', env)).rejects.toThrow(
      new RegExp(`^Port ${first.port} is in use.*GATEWAY_PORT.*\\nPort ${second.port} is in use.*TRANSCODER_PORT.*$`),
    );
    first.server.close();
    second.server.close();
  });

  it('is named together with those of HTTPS, by variable', async () => {
    const occupied = [await occupy(), await occupy(), await occupy()];
    const [sfu, https, http] = occupied.map(({ port }) => String(port));
    const env = { ...anyPorts, SFU_PORT: sfu, HTTPS_PORT: https, HTTP_PORT: http, RTC_ANNOUNCED_ADDRESS: '192.0.2.7' };
    const pending = allOf(chooseProxy(['--domain', 'example.org'], env), reserveServicePorts('127.0.0.1', env));
    await expect(pending).rejects.toThrow(
      new RegExp(
        `^Port ${https} is in use.*HTTPS_PORT.*\\nPort ${http} is in use.*HTTP_PORT.*\\nPort ${sfu} .*SFU_PORT.*$`,
      ),
    );
    for (const { server } of occupied) server.close();
  });

  it('is no error when any port is wanted, which browsers accept and the system gives to no connection', async () => {
    const ports = Object.values(await reserveServicePorts('127.0.0.1', anyPorts));
    expect(ports.filter(port => port > 10_080 && port < 32_768)).toHaveLength(4);
  });
});

describe('the port of our own server', () => {
  let home: string;
  beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'rtms-ports-'))));
  afterEach(() => rmSync(home, { recursive: true }));

  it('is the same at every start', async () => {
    const first = await ownPort(home, 'postgres');
    expect(await ownPort(home, 'postgres')).toBe(first);
  });

  it('changes when another program listens there', async () => {
    const first = await ownPort(home, 'nats');
    const { server } = await occupy(first);
    expect(await ownPort(home, 'nats')).not.toBe(first);
    server.close();
  });
});

describe('the name of an installation', () => {
  const env = { RTC_ANNOUNCED_ADDRESS: '192.0.2.7', HTTPS_PORT: '0', HTTP_PORT: '0' };
  const home = mkdtempSync(join(tmpdir(), 'rtms-proxy-'));
  afterAll(() => rmSync(home, { recursive: true }));

  it('is the origin of all addresses, and media uses the announced address', async () => {
    const settings = await chooseProxy(['--domain', 'live.example.org'], env);
    expect(settings).toMatchObject({ domain: 'live.example.org', announced: '192.0.2.7', ownCA: false });
    expect(proxyEnvironment({ ...settings!, httpsPort: 443 })).toMatchObject({
      GATEWAY_PUBLIC_URL: 'https://live.example.org',
      SFU_PUBLIC_URL: 'https://live.example.org',
      RTC_ANNOUNCED_ADDRESS: '192.0.2.7',
    });
  });

  it.each([
    [443, ''],
    [8443, ':8443'],
  ])('has its port in the redirect to HTTPS unless that is 443: %d', async (httpsPort, expected) => {
    const settings = { ...(await chooseProxy(['--domain', 'live.example.org'], env))!, httpsPort };
    const around = { program: 'caddy', root: '/', home, ports: { gateway: 1, sfu: 2, transcoder: 3, ingest: 4 } };
    expect(describeProxy(settings, around).env).toMatchObject({ PORT_IN_ADDRESS: expected });
  });

  it.each([['--domain'], ['--domain', 'localhost'], ['--domain', 'http://example.org'], ['--lan', 'x'], ['--help']])(
    'is refused with its usage: %s %s',
    (...args) => expect(chooseProxy(args, env)).rejects.toThrow(/^Unknown arguments: .*npm start -- --domain example/),
  );
});
