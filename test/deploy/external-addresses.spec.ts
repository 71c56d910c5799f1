import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { podsOf } from './pods.js';
import { render, repository, type Loose } from './render.js';

const script = `${repository}deploy/examples/external-addresses/announced-address.mjs`;
const internal = { type: 'InternalIP', address: '10.0.3.7' };
const external = { type: 'ExternalIP', address: '198.51.100.7' };

describe('an SFU whose node has another address outside', () => {
  let api: Server;
  let directory: string;
  let node: object;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'rtms-address-'));
    writeFileSync(join(directory, 'token'), 'secret\n');
    api = createServer(({ url, headers }, response) => {
      const isAllowed = headers.authorization === 'Bearer secret' && url === '/api/v1/nodes/node-7';
      response.writeHead(isAllowed ? 200 : 403).end(JSON.stringify(node));
    }).listen(0, '127.0.0.1');
    await once(api, 'listening');
  });
  afterEach(() => {
    api.close();
    rmSync(directory, { recursive: true });
  });

  const ask = async (name = 'node-7'): Promise<{ address: string; told: string; code: number }> => {
    const file = join(directory, 'address');
    const child = spawn(process.execPath, [script], {
      env: {
        NODE_NAME: name,
        KUBERNETES_API: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
        CREDENTIALS: directory,
        ADDRESS_FILE: file,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [told, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { told, code, address: code === 0 ? readFileSync(file, 'utf8') : '' };
  };

  it('announces the external address of the node', async () => {
    node = { metadata: {}, status: { addresses: [internal, external] } };
    expect(await ask()).toMatchObject({ code: 0, address: '198.51.100.7' });
  });

  it('prefers the address of the node’s annotation', async () => {
    const annotations = { 'rtms/announced-address': 'node-7.example.com' };
    node = { metadata: { annotations }, status: { addresses: [internal, external] } };
    expect(await ask()).toMatchObject({ code: 0, address: 'node-7.example.com' });
  });

  it('does not start without either, and says what to do', async () => {
    node = { metadata: {}, status: { addresses: [internal] } };
    const { code, told } = await ask();
    expect([code, told]).toEqual([1, expect.stringContaining('kubectl annotate node node-7')]);
  });

  it('does not start when it may not read the node', async () => {
    node = { metadata: {}, status: { addresses: [external] } };
    expect((await ask('node-8')).code).toBe(1);
  });

  it('has the address from a container that alone has a token of the cluster', () => {
    const sfu = podsOf(render('examples/external-addresses')).find(({ name }) => name === 'sfu')!;
    const mountsOf = ({ volumeMounts }: Loose): string[] => volumeMounts.map(({ name }: Loose) => name);
    expect(mountsOf(sfu.initContainers[0])).toContain('cluster');
    expect(mountsOf(sfu.containers[0])).not.toContain('cluster');
    expect(sfu.containers[0].command.at(-1)).toContain('exec node apps/sfu/dist/main.js');
    expect(sfu.initContainers[0].image).toBe(sfu.containers[0].image);
  });
});

it('a single node behind NAT announces its public address', () => {
  const sfu = podsOf(render('examples/single-node-behind-nat')).find(({ name }) => name === 'sfu')!;
  const announced = sfu.containers[0].env.filter(({ name }: Loose) => name === 'RTC_ANNOUNCED_ADDRESS');
  expect(announced).toEqual([{ name: 'RTC_ANNOUNCED_ADDRESS', value: '203.0.113.7' }]);
});
