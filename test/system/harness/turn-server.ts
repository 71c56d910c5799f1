import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@rtms/testing';
import { findServer } from '../../../tools/setup/unpacked-servers.mjs';

const [username, credential] = ['viewer', 'a-password-of-the-test'];

/** Debian's coturn on one address, with one user. */
export class TurnServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly directory: string,
    readonly iceServer: { urls: string; username: string; credential: string },
  ) {}

  static async start(address: string): Promise<TurnServer> {
    const found = findServer('coturn', process.cwd(), process.env);
    if (!found) throw new Error('There is no coturn: run npm run setup.');
    const directory = await mkdtemp(join(tmpdir(), `rtms-test-turn-${process.pid}-`));
    const port = await freePort();
    const addresses = ['--listening-ip', address, '--relay-ip', address, '--listening-port', String(port)];
    const users = ['--lt-cred-mech', '--realm', 'rtms.test', '--user', `${username}:${credential}`];
    const files = ['--userdb', join(directory, 'turndb'), '--pidfile', join(directory, 'pid'), '--log-file', 'stdout'];
    const rest = ['-n', '--no-cli', '--no-tls', '--no-dtls', '--verbose', '--simple-log'];
    const command = ['--pdeathsig', 'KILL', found.path, ...rest, ...addresses, ...users, ...files];
    const child = spawn('setpriv', command, {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: directory,
      env: { PATH: process.env['PATH'] ?? '', LD_LIBRARY_PATH: found.libraryPath },
    });
    const lines = createInterface(child.stdout);
    const listens = (async () => {
      for await (const line of lines) if (line.includes(`UDP listener opened on: ${address}:${port}`)) return;
      throw new Error('coturn ended');
    })();
    await listens;
    // The pipe must not fill up.
    child.stdout.resume();
    return new TurnServer(child, directory, { urls: `turn:${address}:${port}?transport=udp`, username, credential });
  }

  async close(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await gone;
    }
    await rm(this.directory, { recursive: true, force: true });
  }
}
