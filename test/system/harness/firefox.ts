import { execFileSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EventLog } from '@rtms/testing';
import { build } from 'esbuild';
import { findServer } from '../../../tools/setup/unpacked-servers.mjs';
import type { TestNetwork } from './network.js';

type Report = { ready: true } | { id: number; value?: string; error?: string } | { ended: number | null };

const program = fileURLToPath(new URL('./firefox-process.mjs', import.meta.url));

/**
 * Debian's Firefox ESR in a network namespace, on one page whose script is a file of `test/browser`. Every name leads to the
 * `hostAddress` of the network.
 */
export class Firefox {
  private readonly reports = new EventLog<Report>();
  private lastID = 0;

  private constructor(
    private readonly child: ChildProcess,
    private readonly server: Server,
    private readonly profile: string,
  ) {
    child.on('message', report => this.reports.add(report as Report));
    child.once('exit', code => this.reports.add({ ended: code }));
  }

  /** `ca`: file of a certificate authority that the browser trusts, besides its own. */
  static async open(network: TestNetwork, entryPoint: string, { ca }: { ca: string }): Promise<Firefox> {
    const profile = await mkdtemp(join(tmpdir(), `rtms-test-firefox-${process.pid}-`));
    trust(profile, ca);
    const server = await servePage(entryPoint, network.hostAddress);
    // Node 20 has the WebSocket of browsers behind this option.
    const command = [process.execPath, '--experimental-websocket', program, profile, network.hostAddress];
    // Its PulseAudio would leave a folder of each run in the temporary folder.
    const env = { PATH: process.env['PATH'] ?? '', XDG_RUNTIME_DIR: profile };
    const child = network.spawn(command, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env });
    const firefox = new Firefox(child, server, profile);
    await firefox.answer(report => 'ready' in report);
    const { port } = server.address() as AddressInfo;
    await firefox.order({ open: `http://${network.hostAddress}:${port}` });
    return firefox;
  }

  /** Calls a function that the page has as a global, and waits for its promise. */
  async call<Result>(name: string, ...args: unknown[]): Promise<Result> {
    const values = args.map(value => JSON.stringify(value)).join(', ');
    const value = await this.order({ call: { expression: `${name}(${values}).then(JSON.stringify)` } });
    return (value === undefined ? undefined : JSON.parse(value)) as Result;
  }

  async close(): Promise<void> {
    if (this.child.connected) {
      const gone = once(this.child, 'exit');
      this.child.disconnect();
      await gone;
    }
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private async order(order: { open: string } | { call: { expression: string } }): Promise<string | undefined> {
    const id = ++this.lastID;
    this.child.send({ id, ...order });
    const report = await this.answer(each => 'id' in each && each.id === id);
    if ('error' in report) throw new Error(report.error);
    return 'value' in report ? report.value : undefined;
  }

  private async answer(matches: (report: Report) => boolean): Promise<Report> {
    const report = await this.reports.find(each => 'ended' in each || matches(each));
    if ('ended' in report) throw new Error(`Firefox ended with code ${report.ended}`);
    return report;
  }
}

/** Firefox has authorities of its own, in the database of its profile, and reads none of the system's. */
function trust(profile: string, ca: string): void {
  const found = findServer('libnss3-tools', process.cwd(), process.env);
  if (!found) throw new Error('There is no certutil: run npm run setup.');
  const env = { LD_LIBRARY_PATH: found.libraryPath };
  const database = ['-d', `sql:${profile}`];
  execFileSync(found.path, ['-N', ...database, '--empty-password'], { env });
  execFileSync(found.path, ['-A', ...database, '-n', 'test', '-t', 'C,,', '-i', ca], { env });
}

async function servePage(entryPoint: string, address: string): Promise<Server> {
  const { outputFiles } = await build({ entryPoints: [entryPoint], bundle: true, write: false, format: 'iife' });
  const script = outputFiles[0]?.text ?? '';
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><title>media</title><body><script src="/page.js"></script>');
  });
  await new Promise<void>(resolve => server.listen(0, address, resolve));
  return server;
}
