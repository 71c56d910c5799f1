import { randomUUID } from 'node:crypto';
import {
  socketPath,
  type ClientToServerEvents,
  type RoomEvent,
  type ServerToClientEvents,
  type SocketAnswer,
  type SocketCommandName,
  type SocketCommands,
  type SocketWelcome,
} from '@rtms/contracts';
import { EventLog, patienceMs } from '@rtms/testing';
import { io, type Socket } from 'socket.io-client';
import type { JoinTicket } from './api-client.js';

/** A member who reconnects by itself, and resumes after the last event (docs/socket.md). */
export class SocketMember {
  readonly welcomes = new EventLog<SocketWelcome>();
  readonly events = new EventLog<RoomEvent>();
  private readonly socket: Socket<ServerToClientEvents, ClientToServerEvents>;
  private token: string;

  /** `address`: of the load balancer. */
  constructor(address: string, ticket: JoinTicket) {
    this.token = ticket.token;
    this.socket = io(address, {
      ...{ path: socketPath, addTrailingSlash: false, transports: ['websocket'], forceNew: true },
      reconnectionDelayMax: 500,
      auth: give => give({ token: this.token, ...(this.last !== undefined && { after: this.last }) }),
    });
    this.socket.on('welcome', this.welcomes.add);
    this.socket.on('event', this.events.add);
    this.socket.on('token', ({ token }) => (this.token = token));
  }

  async welcome(): Promise<SocketWelcome> {
    return this.welcomes.find(() => true);
  }

  async send<Name extends SocketCommandName>(
    name: Name,
    request: SocketCommands[Name]['request'],
  ): Promise<SocketAnswer<unknown>> {
    return this.socket.timeout(patienceMs).emitWithAck('command', { commandID: randomUUID(), name, request });
  }

  /** Resolves with the chat message of this text. */
  hears(text: string): Promise<RoomEvent> {
    return this.events.find(event => event.type === 'chat.message' && event.message.message === text);
  }

  /** Texts of the chat, in their order. */
  get heard(): string[] {
    return this.events.all.flatMap(event => (event.type === 'chat.message' ? [event.message.message] : []));
  }

  /** Closes the connection without `leave`. */
  close(): void {
    this.socket.disconnect();
  }

  private get last(): number | undefined {
    return this.events.all.at(-1)?.sequence ?? this.welcomes.all.at(0)?.sequence;
  }
}
