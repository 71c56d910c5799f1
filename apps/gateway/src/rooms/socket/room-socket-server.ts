import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Closeable } from '@rtms/bus';
import { socketPath } from '@rtms/contracts';
import type { UpgradeTaker } from '@rtms/http';
import { Server } from 'socket.io';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import type { RoomNotice } from '../life/room-change.js';
import { MemberSocketsService } from './member-sockets.service.js';
import type { RoomServer } from './room-io.js';
import { createAdapter } from '@socket.io/postgres-adapter';
import pg from 'pg';

const maxMessageBytes = 64 * 1024;
const connectTimeoutMs = 10_000;
/** A connection that is silent for 18 s is lost. */
const pingIntervalMs = 10_000;
const pingTimeoutMs = 8_000;

/** The Socket.IO server of the client SDK. It opens no port: the HTTP server passes on the upgrades that `accepts` takes. */
@Injectable()
export class RoomSocketServer implements OnApplicationBootstrap, BeforeApplicationShutdown, Closeable, UpgradeTaker {
  private readonly logger = new Logger(RoomSocketServer.name);
  private readonly upgrades = createServer();
  private io: RoomServer | undefined;
  private pool: AdapterPool | undefined;
  private closing: Promise<void> | undefined;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    private readonly domainEvents: DomainEvents,
    private readonly connections: MemberSocketsService,
  ) {}

  onApplicationBootstrap(): void {
    this.pool = openAdapterPool(this.config.databaseUrl, error =>
      this.logger.warn(`notices to other replicas may be late: ${error.message}`),
    );
    const io: RoomServer = new Server(this.upgrades, {
      path: socketPath,
      addTrailingSlash: false,
      transports: ['websocket'],
      allowUpgrades: false,
      perMessageDeflate: false,
      maxHttpBufferSize: maxMessageBytes,
      serveClient: false,
      connectTimeout: connectTimeoutMs,
      pingInterval: pingIntervalMs,
      pingTimeout: pingTimeoutMs,
      adapter: this.pool.adapter,
    });
    io.use((socket, next) => {
      this.connections.admit(socket).then(() => next(), next);
    });
    io.on('connection', socket => this.connections.open(socket));
    io.on('notice', notice => this.connections.hear(notice));
    this.domainEvents.on('room.signal', (to, signal) => this.connections.signal(to, signal));
    this.domainEvents.on('room.notice', notice => this.spread(notice));
    this.io = io;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.close();
  }

  /** Socket.IO's clients add a slash to the path by default. */
  accepts({ headers, url = '' }: IncomingMessage): boolean {
    const path = url.split('?', 1)[0]?.replace(/\/$/, '');
    return headers.upgrade?.toLowerCase() === 'websocket' && path === socketPath;
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.io && !this.closing) this.upgrades.emit('upgrade', request, socket, head);
    else socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    await this.io?.close();
    await this.connections.close();
    await this.pool?.close();
  }

  private spread(notice: RoomNotice): void {
    this.connections.hear(notice);
    if (!this.closing) this.io?.serverSideEmit('notice', notice);
  }
}

interface AdapterPool extends Closeable {
  adapter: ReturnType<typeof createAdapter>;
}

/** One connection listens, the others notify. */
const connections = 3;
const adapterConnectTimeoutMs = 3_000;

/**
 * Opens a pool for socket.io's adapter alone, because the adapter never releases its listening connection. The adapter
 * retries for ever, so after `close` it waits for a connection that never comes.
 */
function openAdapterPool(url: string, onError: (error: Error) => void): AdapterPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: adapterConnectTimeoutMs,
    application_name: 'rtms-gateway-sockets',
    keepAlive: true,
  });
  const clients = new Set<pg.PoolClient>();
  let closing: Promise<void> | undefined;
  const never = new Promise<pg.PoolClient>(() => undefined);
  const connect = async (): Promise<pg.PoolClient> => (closing ? never : pool.connect());
  const source = { connect, query: pool.query.bind(pool) };
  pool.on('error', onError);
  pool.on('connect', client => {
    client.on('error', onError);
    client.once('end', () => clients.delete(client));
    clients.add(client);
    if (closing) void client.end();
  });
  // The adapter keeps a connection, so `pool.end()` alone would never resolve.
  const closeAll = async (): Promise<void> => {
    void pool.end();
    await Promise.all([...clients].map(client => client.end()));
  };
  return {
    adapter: createAdapter(source as unknown as pg.Pool, { errorHandler: onError }),
    close: () => (closing ??= closeAll()),
  };
}
