import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Closeable } from '@rtms/bus';
import { socketPath } from '@rtms/contracts';
import type { UpgradeTaker } from '@rtms/http';
import { Server } from 'socket.io';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { MemberSocketsService } from './member-sockets.service.js';
import type { RoomServer } from './room-io.js';

const maxMessageBytes = 64 * 1024;
const connectTimeoutMs = 10_000;
/** A connection that is silent for 18 s is lost. */
const pingIntervalMs = 10_000;
const pingTimeoutMs = 8_000;

/** The Socket.IO server of the client SDK. It opens no port: the HTTP server passes on the upgrades that `accepts` takes. */
@Injectable()
export class RoomSocketServer implements OnApplicationBootstrap, BeforeApplicationShutdown, Closeable, UpgradeTaker {
  private readonly upgrades = createServer();
  private io: RoomServer | undefined;
  private closing: Promise<void> | undefined;

  constructor(
    private readonly domainEvents: DomainEvents,
    private readonly connections: MemberSocketsService,
  ) {}

  onApplicationBootstrap(): void {
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
    });
    io.use((socket, next) => {
      this.connections.admit(socket).then(() => next(), next);
    });
    io.on('connection', socket => this.connections.open(socket));
    this.domainEvents.on('room.signal', (to, signal) => this.connections.signal(to, signal));
    this.domainEvents.on('resources.changed', changes => this.connections.hear(changes));
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
  }
}
