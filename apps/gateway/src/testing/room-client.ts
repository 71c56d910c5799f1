import { once } from 'node:events';
import type {
  ClientToServerEvents,
  RoomEvent,
  RoomSignal,
  ServerToClientEvents,
  SocketAnswer,
  SocketCommandName,
  SocketCommands,
  SocketWelcome,
} from '@rtms/contracts';
import { EventLog, patienceMs } from '@rtms/testing';
import { nanoid } from 'nanoid';
import { io, type Socket } from 'socket.io-client';

type Reply<Name extends SocketCommandName> = SocketAnswer<SocketCommands[Name]['reply']>;
type EventOf<Type extends RoomEvent['type']> = Extract<RoomEvent, { type: Type }>;

/** The error of a refused connection. */
interface Refusal {
  code: string;
  reason: string;
}

/** A member that records all messages of its socket. */
export class RoomClient {
  readonly log = new EventLog<RoomEvent>();
  readonly signals = new EventLog<RoomSignal>();
  readonly tokens = new EventLog<{ token: string; expiresAt: string }>();
  readonly farewells = new EventLog<string>();
  welcome!: SocketWelcome;

  private constructor(readonly socket: Socket<ServerToClientEvents, ClientToServerEvents>) {
    socket.on('event', this.log.add);
    socket.on('signal', this.signals.add);
    socket.on('token', this.tokens.add);
    socket.on('farewell', ({ reason }) => this.farewells.add(reason));
  }

  /** Resolves with the welcome. Rejects with socket.io's error, at the end of the connection, or after 60 s. */
  static async connect(url: string, token: string, after?: number): Promise<RoomClient> {
    const client = new RoomClient(openSocket(url, { token, ...(after !== undefined && { after }) }));
    try {
      client.welcome = await client.welcomed();
      return client;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  /** As `connect`, for a connection that must be refused. `forwardedFor`: the client's address behind a proxy. */
  static async refusal(url: string, auth: unknown, forwardedFor?: string): Promise<Refusal> {
    const socket = openSocket(url, auth as object, forwardedFor);
    try {
      return await new Promise<Refusal>((resolve, reject) => {
        socket.once('connect', () => reject(new Error('the connection was taken')));
        socket.once('connect_error', error => resolve(refusalOf(error)));
      });
    } finally {
      socket.close();
    }
  }

  /** In the order of arrival. */
  get events(): RoomEvent[] {
    return this.log.all;
  }

  get id(): string {
    return this.welcome.participantID;
  }

  /** The sequence number of the last event. */
  get sequence(): number {
    return this.events.at(-1)?.sequence ?? this.welcome.sequence;
  }

  send<Name extends SocketCommandName>(
    name: Name,
    request: SocketCommands[Name]['request'],
    commandID: string = nanoid(),
  ): Promise<Reply<Name>> {
    return this.sendRaw({ commandID, name, request });
  }

  /** Sends any message as a command. */
  async sendRaw(command: unknown): Promise<SocketAnswer<Record<string, unknown>>> {
    return (await this.socket.timeout(patienceMs).emitWithAck('command', command as never)) as SocketAnswer<
      Record<string, unknown>
    >;
  }

  /** As `send`. Throws for a refused command. */
  async must<Name extends SocketCommandName>(
    name: Name,
    request: SocketCommands[Name]['request'],
  ): Promise<SocketCommands[Name]['reply']> {
    const answer = await this.send(name, request);
    if (!answer.success) throw new Error(`${name} was refused: ${answer.error}`);
    return answer;
  }

  all<Type extends RoomEvent['type']>(type: Type): EventOf<Type>[] {
    return this.events.filter((event): event is EventOf<Type> => event.type === type);
  }

  /** The first matching event, past or future. */
  async next<Type extends RoomEvent['type']>(
    type: Type,
    fits: (event: EventOf<Type>) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    return (await this.log.find(event => event.type === type && fits(event as EventOf<Type>))) as EventOf<Type>;
  }

  farewell(): Promise<string> {
    return this.farewells.find(() => true);
  }

  /** Resolves after all earlier messages have arrived: a connection keeps the order. */
  async synchronized(): Promise<void> {
    await this.sendRaw({ commandID: nanoid(), name: 'no such command' });
  }

  /** Resolves after all earlier events of the room have arrived, by a chat message of its own. */
  async quiet(): Promise<void> {
    const { messageID } = await this.must('chat.send', { message: 'Is it quiet?' });
    await this.next('chat.message', event => event.message.messageID === messageID);
  }

  private welcomed(): Promise<SocketWelcome> {
    return new Promise((resolve, reject) => {
      const fail = (message: string): void => {
        const [farewell] = this.farewells.all;
        reject(new Error(farewell === undefined ? message : `${message}; its farewell was ${farewell}`));
      };
      const timer = setTimeout(() => fail(`waited ${patienceMs} ms for the welcome`), patienceMs);
      const settle =
        <Given>(action: (given: Given) => void) =>
        (given: Given): void => {
          clearTimeout(timer);
          action(given);
        };
      this.socket.once('welcome', settle(resolve));
      this.socket.once('connect_error', settle(reject));
      // socket.io emits `disconnect` only for a connection that was open.
      this.socket.once(
        'disconnect',
        settle((reason: string) => fail(`the connection ended before the welcome: ${reason}`)),
      );
    });
  }

  /** Breaks the connection without a close message. */
  drop(): void {
    this.socket.io.engine.close();
  }

  close(): void {
    this.socket.close();
  }

  async disconnected(): Promise<void> {
    if (this.socket.connected) await once(this.socket as never, 'disconnect');
  }
}

function openSocket(
  url: string,
  auth: object,
  forwardedFor?: string,
): Socket<ServerToClientEvents, ClientToServerEvents> {
  return io(url, {
    path: '/v1/socket',
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: auth as Record<string, unknown>,
    ...(forwardedFor !== undefined && { extraHeaders: { 'X-Forwarded-For': forwardedFor } }),
  });
}

function refusalOf(error: Error): Refusal {
  return (error as Error & { data?: Refusal }).data ?? { code: '', reason: error.message };
}
