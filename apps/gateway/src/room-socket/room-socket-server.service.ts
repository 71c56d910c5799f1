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
import { GATEWAY_CONFIG, type GatewayConfig } from '../gateway.config.js';
import { RoomNewsBoard, type RoomNews } from '../room-life/room-news.js';
import { openAdapterPool, type AdapterPool } from './adapter-pool.js';
import { MemberConnections } from './member-connections.service.js';
import type { RoomServer } from './room-io.js';

const maxMessageBytes = 64 * 1024;
const connectTimeoutMs = 10_000;
/** A connection that is silent for 18 s is lost. */
const pingIntervalMs = 10_000;
const pingTimeoutMs = 8_000;

/**
 * The socket of the client SDK. It opens no port: the HTTP server hands over the requests that `accepts` takes.
 */
@Injectable()
export class RoomSocketServer implements OnApplicationBootstrap, BeforeApplicationShutdown, Closeable, UpgradeTaker {
  private readonly logger = new Logger(RoomSocketServer.name);
  private readonly upgrades = createServer();
  private io: RoomServer | undefined;
  private pool: AdapterPool | undefined;
  private closing: Promise<void> | undefined;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    private readonly board: RoomNewsBoard,
    private readonly connections: MemberConnections,
  ) {}

  onApplicationBootstrap(): void {
    this.pool = openAdapterPool(this.config.databaseUrl, error =>
      this.logger.warn(`news of rooms may come late: ${error.message}`),
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
    io.on('news', news => this.connections.hear(news));
    this.board.onSignal((to, signal) => this.connections.signal(to, signal));
    this.board.onNews(news => this.spread(news));
    this.io = io;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.close();
  }

  /** Socket.IO's clients end the path with a slash unless they are told not to. */
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

  private spread(news: RoomNews): void {
    this.connections.hear(news);
    if (!this.closing) this.io?.serverSideEmit('news', news);
  }
}
