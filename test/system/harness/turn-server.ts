import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort, waitFor } from '@rtms/testing';
import { findServer } from '../../../tools/setup/unpacked-servers.mjs';

export interface TurnServerOptions {
  /** The address on which the server listens and relays. */
  address: string;
  /** The only addresses to which it relays, with blanks between them. */
  peer: string;
  /** A command that runs the server, such as `ip netns exec <name>`. */
  around?: readonly string[];
  certificate: { cert: string; key: string };
}

/** Debian's coturn, started by the script of the deployments (`deploy/base/turn/turnserver.sh`). */
export class TurnServer {
  readonly secret = 'a-secret-of-the-test';
  private child: ChildProcess | undefined;

  private constructor(
    private readonly options: TurnServerOptions,
    private readonly directory: string,
    readonly ports: { plain: number; tls: number },
  ) {}

  /** Chooses ports. `start` starts the server. */
  static async prepare(options: TurnServerOptions): Promise<TurnServer> {
    const directory = await mkdtemp(join(tmpdir(), `rtms-test-turn-${process.pid}-`));
    return new TurnServer(options, directory, { plain: await freePort(), tls: await freePort() });
  }

  /** By UDP, TCP and TLS. */
  get urls(): string[] {
    const { address } = this.options;
    const { plain, tls } = this.ports;
    return [
      `turn:${address}:${plain}?transport=udp`,
      `turn:${address}:${plain}?transport=tcp`,
      `turns:${address}:${tls}?transport=tcp`,
    ];
  }

  async start(): Promise<void> {
    const found = findServer('coturn', process.cwd(), process.env);
    if (!found) throw new Error('There is no coturn: run npm run setup.');
    const { address, peer, certificate, around = [] } = this.options;
    const secretFile = join(this.directory, 'secret');
    await writeFile(secretFile, `${this.secret}\n`);
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...around, 'deploy/base/turn/turnserver.sh'], {
      stdio: 'ignore',
      env: {
        PATH: `${dirname(found.path)}:${process.env['PATH']}`,
        LD_LIBRARY_PATH: found.libraryPath,
        TURN_SECRET_FILE: secretFile,
        TURN_PEERS: peer,
        TURN_CERT_FILE: certificate.cert,
        TURN_KEY_FILE: certificate.key,
        TURN_CERT_SECONDS: '1',
        TURN_LISTEN_IP: address,
        TURN_PORT: String(this.ports.plain),
        TURN_TLS_PORT: String(this.ports.tls),
        TURN_RUN_DIR: this.directory,
      },
    });
    this.child = child;
    await waitFor(() => this.listens(), { everyMs: 50, what: 'coturn to listen' });
  }

  private async listens(): Promise<boolean> {
    if (this.child?.exitCode !== null) throw new Error(`coturn ended with ${this.child?.exitCode}`);
    const socket = connect({ host: this.options.address, port: this.ports.tls });
    try {
      return await once(socket, 'connect').then(Boolean, () => false);
    } finally {
      socket.destroy();
    }
  }

  /** Kills the server. `start` starts it again. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }
}
