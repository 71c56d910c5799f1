import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { freePort, waitFor } from '@rtms/testing';
import { findServer } from '../../../tools/setup/unpacked-servers.mjs';
import { repository } from '../render.js';

const template = `${repository}deploy/examples/hls-cache/default.conf.template`;

/** Records the requests to an origin. */
export class CountedOrigin {
  readonly paths: string[] = [];
  isAway = false;

  private constructor(private readonly server: Server) {}

  static async before(url: string): Promise<CountedOrigin> {
    const server = createServer((incoming, response) => {
      counted.paths.push(incoming.url!);
      if (counted.isAway) return void incoming.socket.destroy();
      const { method, headers } = incoming;
      const outgoing = request(new URL(incoming.url!, url), { method, headers }, answer => {
        response.writeHead(answer.statusCode!, answer.headers);
        void pipeline(answer, response).catch(() => undefined);
      });
      outgoing.end();
    });
    const counted = new CountedOrigin(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return counted;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  requestsFor(path: string): number {
    return this.paths.filter(each => each === path).length;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }
}

/** A real nginx with the configuration of the example, its variables put in. */
export class RunningCache {
  private constructor(
    readonly url: string,
    private readonly nginx: ChildProcess,
  ) {}

  static async start(directory: string, originPort: number): Promise<RunningCache> {
    const port = await freePort();
    const configuration = join(directory, 'nginx.conf');
    mkdirSync(join(directory, 'cache'), { recursive: true });
    writeFileSync(configuration, mainConfiguration(directory, port, originPort));
    const nginx = spawn(program(), ['-c', configuration, '-p', directory, '-e', 'stderr'], { stdio: 'inherit' });
    const cache = new RunningCache(`http://127.0.0.1:${port}`, nginx);
    await waitFor(() => cache.answers(), { what: 'nginx to answer' });
    return cache;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { headers });
  }

  async close(): Promise<void> {
    if (this.nginx.exitCode !== null) return;
    const ended = once(this.nginx, 'exit');
    this.nginx.kill('SIGTERM');
    await ended;
  }

  private async answers(): Promise<boolean> {
    if (this.nginx.exitCode !== null) throw new Error(`nginx ended with ${this.nginx.exitCode}`);
    return (await fetch(`${this.url}/healthz`).catch(() => undefined))?.ok ?? false;
  }
}

/** The cache's log of the requests. */
export function logOf(directory: string): string {
  return join(directory, 'access.log');
}

function program(): string {
  const found = findServer('nginx', repository, process.env);
  if (!found) throw new Error('There is no nginx: run npm run setup.');
  return found.path;
}

function mainConfiguration(directory: string, port: number, originPort: number): string {
  const values: Record<string, string> = {
    HLS_ORIGIN: `127.0.0.1:${originPort}`,
    HLS_CACHE_PORT: `127.0.0.1:${port}`,
    HLS_CACHE_DIR: join(directory, 'cache'),
    HLS_CACHE_SIZE: '100m',
  };
  const site = readFileSync(template, 'utf8')
    .replaceAll(/\$\{(HLS_[A-Z_]+)\}/g, (_all, name: string) => values[name]!)
    .replace('/dev/stdout', logOf(directory));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    kind => `${kind}_temp_path ${join(directory, kind)};`,
  );
  return [
    'daemon off; master_process off; worker_processes 1;',
    `pid ${join(directory, 'nginx.pid')};`,
    'events { worker_connections 256; }',
    `http { ${temporary.join(' ')}`,
    site,
    '}',
  ].join('\n');
}
