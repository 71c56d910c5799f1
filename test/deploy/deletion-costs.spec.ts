import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { repository } from './render.js';

const script = `${repository}deploy/overlays/production/scale-down/deletion-costs.mjs`;
const cost = 'controller.kubernetes.io/pod-deletion-cost';

describe('the job that writes deletion costs', () => {
  let server: Server;
  let directory: string;
  let loads: Record<string, number>;
  let pods: Record<string, Record<string, string>>;
  let patches: string[];

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'rtms-costs-'));
    writeFileSync(join(directory, 'token'), 'secret\n');
    patches = [];
    // Prometheus and the API of the cluster.
    server = createServer((request, response) => void answer(request.method!, request.url!, request, response)).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
  });
  afterEach(() => {
    server.close();
    rmSync(directory, { recursive: true });
  });

  async function answer(
    method: string,
    url: string,
    request: NodeJS.ReadableStream & { headers: Record<string, unknown> },
    response: { writeHead(status: number): { end(text: string): void } },
  ): Promise<void> {
    const { pathname, searchParams } = new URL(url, 'http://server');
    if (pathname === '/api/v1/query') {
      const result = Object.entries(loads).map(([pod, load]) => ({
        metric: { namespace: 'rtms-sfu', pod },
        value: [0, String(load)],
      }));
      return response
        .writeHead(searchParams.get('query') === 'load' ? 200 : 400)
        .end(JSON.stringify({ data: { result } }));
    }
    if (request.headers['authorization'] !== 'Bearer secret') return response.writeHead(403).end('{}');
    const name = pathname.split('/api/v1/namespaces/rtms-sfu/pods/')[1];
    if (method === 'PATCH' && name) {
      const { metadata } = JSON.parse(await text(request)) as Patch;
      pods[name] = metadata.annotations;
      patches.push(name);
      return response.writeHead(200).end('{}');
    }
    const items = Object.entries(pods).map(([each, annotations]) => ({ metadata: { name: each, annotations } }));
    response.writeHead(200).end(JSON.stringify({ items }));
  }

  const run = async (): Promise<number> => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const child = spawn(process.execPath, [script], {
      env: { KUBERNETES_API: address, PROMETHEUS: address, CREDENTIALS: directory, LOAD_QUERY: 'load' },
      stdio: 'ignore',
    });
    const [code] = (await once(child, 'exit')) as [number];
    return code;
  };
  const order = (): string[] =>
    Object.keys(pods).sort((one, other) => Number(pods[one]![cost] ?? 0) - Number(pods[other]![cost] ?? 0));

  it('makes the emptiest pod the first to end', async () => {
    loads = { full: 900, half: 400, empty: 0, one: 3 };
    pods = { full: {}, half: {}, empty: {}, one: {} };
    expect(await run()).toBe(0);
    expect(order()).toEqual(['empty', 'one', 'half', 'full']);
  });

  it('patches only pods whose place changed', async () => {
    loads = { one: 400, other: 100 };
    pods = { one: {}, other: {} };
    await run();
    patches = [];
    loads = { one: 401, other: 3 };
    expect(await run()).toBe(0);
    expect(patches).toEqual(['other']);
  });

  it('leaves the costs as they are when Prometheus knows nothing', async () => {
    loads = {};
    pods = { one: { [cost]: '30' } };
    expect(await run()).toBe(0);
    expect(patches).toEqual([]);
  });

  it('fails when it may not change pods', async () => {
    loads = { one: 1 };
    pods = { one: {} };
    writeFileSync(join(directory, 'token'), 'forged\n');
    expect(await run()).toBe(1);
  });
});

interface Patch {
  metadata: { annotations: Record<string, string> };
}
