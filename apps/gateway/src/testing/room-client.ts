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
import { EventLog } from '@rtms/testing';
import { nanoid } from 'nanoid';
import { io, type Socket } from 'socket.io-client';

type Reply<Name extends SocketCommandName> = SocketAnswer<SocketCommands[Name]['reply']>;
type EventOf<Type extends RoomEvent['type']> = Extract<RoomEvent, { type: Type }>;

/** A member that is not welcome by then never will be; a busy machine is no reason. */
const welcomeMs = 30_000;

/** What a refused connection is told. */
export interface Refusal {
  code: string;
  reason: string;
}

/** A member as a test plays it: remembers all that the socket gives it. */
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

  /** Resolves once welcome; rejects with socket.io's error, or when the connection ends or nothing comes for 30 s. */
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

  /** As `connect`, for a connection that must be refused; through a proxy when it names an address. */
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

  /** In their order. */
  get events(): RoomEvent[] {
    return this.log.all;
  }

  get id(): string {
    return this.welcome.participantID;
  }

  /** The last event's number. */
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

  /** Whatever it is. */
  async sendRaw(command: unknown): Promise<SocketAnswer<Record<string, unknown>>> {
    return (await this.socket.timeout(10_000).emitWithAck('command', command as never)) as SocketAnswer<
      Record<string, unknown>
    >;
  }

  /** As `send`; fails unless it is done. */
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

  /** The first event of a type that fits, also one that came before. */
  async next<Type extends RoomEvent['type']>(
    type: Type,
    fits: (event: EventOf<Type>) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    return (await this.log.find(event => event.type === type && fits(event as EventOf<Type>))) as EventOf<Type>;
  }

  farewell(): Promise<string> {
    return this.farewells.find(() => true);
  }

  /** Resolves once all has arrived that the gateway sent before: a connection keeps the order. */
  async synchronized(): Promise<void> {
    await this.sendRaw({ commandID: nanoid(), name: 'no such command' });
  }

  /** Resolves once all events of the room before this moment have arrived: a message of its own comes after them. */
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
      const timer = setTimeout(() => fail(`waited ${welcomeMs} ms for the welcome`), welcomeMs);
      const settle =
        <Given>(action: (given: Given) => void) =>
        (given: Given): void => {
          clearTimeout(timer);
          action(given);
        };
      this.socket.once('welcome', settle(resolve));
      this.socket.once('connect_error', settle(reject));
      // socket.io names the end of a connection that was open, and only then, in this way.
      this.socket.once(
        'disconnect',
        settle((reason: string) => fail(`the connection ended before the welcome: ${reason}`)),
      );
    });
  }

  /** The connection breaks without a word. */
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
