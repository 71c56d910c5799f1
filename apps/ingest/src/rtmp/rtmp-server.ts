import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Clock } from '@rtms/clock';
import type { TlsFiles } from '@rtms/config';
import { clientOf } from '@rtms/http';
import { RtmpConnection, type RtmpConnectionParts } from './rtmp-connection.js';

/** Counts connections of RTMP and RTMPS together. */
export class ConnectionLimits {
  private readonly byAddress = new Map<string, number>();
  private all = 0;
  refused = 0;

  constructor(private readonly limits: { connections: number; perAddress: number }) {}

  get count(): number {
    return this.all;
  }

  /** Returns whether there is a place; `leave` frees it. */
  enter(address: string): boolean {
    const own = this.byAddress.get(address) ?? 0;
    if (this.all >= this.limits.connections || own >= this.limits.perAddress) {
      this.refused += 1;
      return false;
    }
    this.all += 1;
    this.byAddress.set(address, own + 1);
    return true;
  }

  leave(address: string): void {
    this.all -= 1;
    const left = (this.byAddress.get(address) ?? 1) - 1;
    if (left > 0) this.byAddress.set(address, left);
    else this.byAddress.delete(address);
  }
}

export interface RtmpServerOptions {
  host: string;
  port: number;
  /** undefined: RTMP without TLS. */
  tls?: TlsFiles | undefined;
  limits: ConnectionLimits;
  clock: Clock;
  publish: RtmpConnectionParts['publish'];
}

const handshakeTimeoutMs = 5_000;
/** Certificates are read again, because they are replaced while the node runs. */
const certificatesEveryMs = 10_000;

/** Listens for encoders that publish by RTMP or RTMPS. */
export class RtmpServer {
  private readonly connections = new Set<RtmpConnection>();

  private constructor(
    private readonly server: Server,
    private readonly stopReading: () => void,
  ) {}

  static async open(options: RtmpServerOptions): Promise<RtmpServer> {
    const { host, port, tls, clock } = options;
    const read = ({ certFile, keyFile }: TlsFiles) => ({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
    const secure =
      tls && createTlsServer({ ...read(tls), handshakeTimeout: handshakeTimeoutMs, minVersion: 'TLSv1.2' });
    const listening: Server = secure ?? createServer();
    listening.on('tlsClientError', () => undefined);
    listening.listen({ host, port });
    await once(listening, 'listening');
    listening.on('error', () => undefined);
    const timer =
      tls &&
      clock.every(certificatesEveryMs, () => {
        try {
          secure?.setSecureContext(read(tls));
        } catch {
          // Half replaced: the next look finds both files.
        }
      });
    const server = new RtmpServer(listening, () => timer?.cancel());
    server.take(options, secure ? 'secureConnection' : 'connection');
    return server;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** Drops all encoders. Safe to call twice. */
  async close(): Promise<void> {
    this.stopReading();
    this.server.close();
    for (const connection of this.connections) connection.close();
    await Promise.all([...this.connections].map(({ closed }) => closed));
  }

  private take({ limits, clock, publish }: RtmpServerOptions, event: 'connection' | 'secureConnection'): void {
    // The TCP connection, so that a TLS handshake counts as well.
    this.server.on('connection', (socket: Socket) => {
      const address = clientOf(socket.remoteAddress);
      if (!limits.enter(address)) return void socket.destroy();
      socket.once('close', () => limits.leave(address));
    });
    this.server.on(event, (socket: Socket) => {
      if (socket.destroyed) return;
      const connection = new RtmpConnection(socket, { clock, publish });
      this.connections.add(connection);
      void connection.closed.then(() => this.connections.delete(connection));
    });
  }
}
