import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { freePort, waitFor } from '@rtms/testing';
import { findServer } from '../../tools/setup/unpacked-servers.mjs';
import { cpuSeconds } from '../process-usage.js';

/** A file by its path, e.g. `/hls/bcast_1/…/index.m3u8`. */
export interface ServedFile {
  path: string;
  body: Buffer;
}

/** nginx with one process that serves these files, playlists also compressed in advance. */
export class NginxProcess {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly directory: string,
  ) {}

  /** Returns undefined if nginx is not installed. */
  static async start(root: string, files: readonly ServedFile[]): Promise<NginxProcess | undefined> {
    const found = findServer('nginx', root, process.env);
    if (!found) return undefined;
    const directory = mkdtempSync(join(tmpdir(), 'rtms-bench-nginx-'));
    for (const { path, body } of files) writeFile(join(directory, path), body);
    const port = await freePort();
    writeFileSync(join(directory, 'nginx.conf'), configuration(directory, port));
    const env = { ...process.env, ...(found.libraryPath && { LD_LIBRARY_PATH: found.libraryPath }) };
    const args = ['-c', join(directory, 'nginx.conf'), '-p', directory, '-e', 'stderr'];
    const child = spawn(found.path, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const nginx = new NginxProcess(port, child, directory);
    const url = `http://127.0.0.1:${port}${files[0]?.path ?? '/'}`;
    await waitFor(async () => (await fetch(url).catch(() => undefined))?.ok ?? false, { what: 'nginx to answer' });
    return nginx;
  }

  cpuSeconds(): Promise<number> {
    return Promise.resolve(cpuSeconds(this.child.pid ?? 0));
  }

  async close(): Promise<void> {
    if (this.child.exitCode === null) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await ended;
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}

function writeFile(path: string, body: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, body);
  if (path.endsWith('.m3u8')) writeFileSync(`${path}.gz`, gzipSync(body));
}

/** The headers are those of the origin that a player needs. */
function configuration(directory: string, port: number): string {
  return `
daemon off;
master_process off;
pid ${directory}/nginx.pid;
events { worker_connections 512; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  client_body_temp_path ${directory}/body;
  proxy_temp_path ${directory}/proxy;
  types { application/vnd.apple.mpegurl m3u8; video/mp4 mp4; video/iso.segment m4s; }
  server {
    listen 127.0.0.1:${port};
    root ${directory};
    gzip_static on;
    gzip_vary on;
    add_header Access-Control-Allow-Origin *;
    add_header Access-Control-Expose-Headers "Content-Length, Content-Range, Date, ETag";
    add_header Cache-Control "public, max-age=1";
    add_header Timing-Allow-Origin *;
    add_header Cross-Origin-Resource-Policy cross-origin;
    add_header X-Content-Type-Options nosniff;
  }
}
`;
}
