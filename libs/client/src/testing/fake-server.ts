import type {
  ChatMessage,
  RoomEvent,
  RoomSnapshot,
  SocketAnswer,
  SocketAuth,
  SocketCommand,
  SocketWelcome,
} from '@rtms/contracts';
import type { Connect, ConnectionListener, RoomConnection } from '../signalling/room-connection.js';

type Answer = (answer: SocketAnswer<Record<string, unknown>>) => void;

/** The server's side of one connection. */
export class FakeConnection implements RoomConnection {
  readonly commands: { command: SocketCommand; answer: Answer }[] = [];
  isClosed = false;

  constructor(
    readonly auth: SocketAuth,
    readonly listener: ConnectionListener,
    private readonly onCommand: (command: SocketCommand, answer: Answer) => void,
  ) {}

  send(command: SocketCommand, answer: Answer): void {
    this.commands.push({ command, answer });
    this.onCommand(command, answer);
  }

  close(): void {
    this.isClosed = true;
  }

  welcome(welcome: Partial<SocketWelcome> = {}): void {
    this.listener.onWelcome({
      participantID: 'part_me',
      role: 'participant',
      sequence: 0,
      snapshot: emptySnapshot(),
      ...welcome,
    });
  }
}

/** A room's server that the test controls. Records every connection and its commands. */
export class FakeServer {
  readonly connections: FakeConnection[] = [];
  /** Answers commands at once. Without it, the test answers them. */
  onCommand: (command: SocketCommand, answer: Answer) => void = () => undefined;

  readonly connect: Connect = (auth, listener) => {
    const connection = new FakeConnection(auth, listener, (command, answer) => this.onCommand(command, answer));
    this.connections.push(connection);
    return connection;
  };

  get last(): FakeConnection {
    const last = this.connections.at(-1);
    if (!last) throw new Error('nobody has connected');
    return last;
  }

  names(): string[] {
    return this.connections.flatMap(({ commands }) => commands.map(({ command }) => command.name));
  }
}

export function emptySnapshot(): RoomSnapshot {
  return { meetingID: 'room_1', roster: [], chat: [], polls: [] };
}

export function chatEvent(sequence: number): RoomEvent {
  const message: ChatMessage = {
    messageID: `msg_${sequence}`,
    senderID: 'part_other',
    senderName: 'Ada',
    recipientID: null,
    message: `message ${sequence}`,
    sentAt: '2026-11-21T10:00:00.000Z',
  };
  return { type: 'chat.message', sequence, at: message.sentAt, message };
}
