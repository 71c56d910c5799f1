import { socketPath } from '@rtms/contracts';
import { io, type Socket } from 'socket.io-client';
import { EventLog } from '@rtms/testing';
import type { JoinTicket } from './api-client.js';

/** A member's socket, which reconnects by itself as the client SDK's does. */
export class RoomSocket {
  readonly events = new EventLog<'connect' | 'disconnect'>();

  private constructor(private readonly socket: Socket) {
    socket.on('connect', () => this.events.add('connect'));
    socket.on('disconnect', () => this.events.add('disconnect'));
  }

  static async open({ url, token }: JoinTicket): Promise<RoomSocket> {
    const options = { path: socketPath, addTrailingSlash: false, transports: ['websocket'], auth: { token } };
    const socket = io(new URL(url).origin, { ...options, forceNew: true, reconnectionDelayMax: 500 });
    const opened = new RoomSocket(socket);
    await opened.events.atLeast(1);
    return opened;
  }

  get isConnected(): boolean {
    return this.socket.connected;
  }

  close(): void {
    this.socket.close();
  }
}
