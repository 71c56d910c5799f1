import type { Clock, Timer } from '@rtms/clock';
import type { RoomEvent, RoomSignal, SocketCommandName, SocketCommands, SocketWelcome } from '@rtms/contracts';
import { connectionClosed, type RtmsError } from './rtms-error.js';
import {
  inputOfRefusal,
  nextPhase,
  retryDelay,
  type ConnectionInput,
  type ConnectionPhase,
} from './connection-phase.js';
import type { Connect, ConnectionListener, Farewell, RoomConnection } from './room-connection.js';
import { UnansweredCommands, type ReplyTo } from './unanswered-commands.js';

export interface SignallingOptions {
  connect: Connect;
  token: string;
  /** Called for a new token if the last one expired without a connection. */
  renewToken?: (() => Promise<string>) | undefined;
  clock: Clock;
  newID: () => string;
  random: () => number;
}

export interface SignallingListener {
  /** The last applied sequence; undefined before the first snapshot. */
  readonly sequence: number | undefined;
  onWelcome(welcome: SocketWelcome): void;
  onEvent(event: RoomEvent): void;
  onSignal(signal: RoomSignal): void;
  onPhase(phase: ConnectionPhase): void;
  /** The room has ended for this member: the server's farewell, or the error. */
  onEnd(end: Farewell | RtmsError): void;
}

/** Keeps a connection to the room and reconnects until one side ends it. */
export class Signalling {
  private phase: ConnectionPhase = 'connecting';
  private readonly commands: UnansweredCommands;
  private connection: RoomConnection | undefined;
  private retryTimer: Timer | undefined;
  private attempt = 0;
  private token: string;
  private isTokenRenewed = false;

  constructor(
    private readonly options: SignallingOptions,
    private readonly listener: SignallingListener,
  ) {
    this.token = options.token;
    this.commands = new UnansweredCommands(options.clock, options.newID);
  }

  start(): void {
    this.open();
  }

  send<Name extends SocketCommandName>(name: Name, request: SocketCommands[Name]['request']): Promise<ReplyTo<Name>> {
    return this.phase === 'closed' ? Promise.reject(connectionClosed()) : this.commands.send(name, request);
  }

  /** Reconnects at once, because the network may be available again. */
  hurry(): void {
    if (this.phase === 'waiting') this.retry();
  }

  close(error: RtmsError = connectionClosed()): void {
    if (this.phase === 'closed') return;
    this.shift('close');
    this.commands.fail(error);
  }

  private open(): void {
    const { sequence } = this.listener;
    const auth = { token: this.token, ...(sequence !== undefined && { after: sequence }) };
    let isOver = false;
    const guarded = this.hears(() => isOver);
    const connection = this.options.connect(auth, guarded);
    this.connection = {
      send: (command, answer) => connection.send(command, answer),
      close: () => {
        isOver = true;
        connection.close();
      },
    };
  }

  /** Ignores the callbacks of an abandoned connection. */
  private hears(isOver: () => boolean): ConnectionListener {
    const unlessOver =
      <Args extends unknown[]>(handle: (...args: Args) => void) =>
      (...args: Args) => {
        if (!isOver()) handle(...args);
      };
    return {
      onWelcome: unlessOver(welcome => this.welcome(welcome)),
      onEvent: unlessOver(event => this.listener.onEvent(event)),
      onSignal: unlessOver(signal => this.listener.onSignal(signal)),
      onToken: unlessOver(({ token }) => (this.token = token)),
      onFarewell: unlessOver(farewell => this.end('farewell', farewell)),
      onLost: unlessOver(() => this.lose()),
      onRefused: unlessOver(error => this.refuse(error)),
    };
  }

  private welcome(welcome: SocketWelcome): void {
    this.attempt = 0;
    this.isTokenRenewed = false;
    // Apply the snapshot before commands are sent and events are handled.
    this.listener.onWelcome(welcome);
    this.shift('welcome');
    this.commands.resume((command, answer) => this.connection?.send(command, answer));
  }

  private lose(): void {
    this.commands.pause();
    this.shift('lost');
    if (this.phase !== 'waiting') return;
    const delay = retryDelay(this.attempt, this.options.random());
    this.attempt += 1;
    this.retryTimer = this.options.clock.after(delay, () => this.retry());
  }

  private retry(): void {
    this.retryTimer?.cancel();
    this.shift('retry');
    this.open();
  }

  private refuse(error: RtmsError): void {
    const { renewToken } = this.options;
    if (inputOfRefusal(error.code) === 'lost') this.lose();
    else if (error.reason === 'token_expired' && renewToken && !this.isTokenRenewed) this.renew(renewToken, error);
    else this.end('refused', error);
  }

  private renew(renewToken: () => Promise<string>, error: RtmsError): void {
    this.isTokenRenewed = true;
    this.shift('lost');
    renewToken().then(
      token => {
        this.token = token;
        if (this.phase === 'waiting') this.retry();
      },
      () => this.end('close', error),
    );
  }

  private end(input: 'farewell' | 'refused' | 'close', end: Farewell | RtmsError): void {
    if (this.phase === 'closed') return;
    this.shift(input);
    this.commands.fail(end instanceof Error ? end : connectionClosed(`The room was left: ${end.reason}.`));
    this.listener.onEnd(end);
  }

  private shift(input: ConnectionInput): void {
    const former = this.phase;
    this.phase = nextPhase(former, input);
    if (this.phase !== 'connected') this.drop(this.phase);
    if (this.phase !== former) this.listener.onPhase(this.phase);
  }

  private drop(phase: ConnectionPhase): void {
    if (phase === 'connecting') return;
    this.retryTimer?.cancel();
    this.connection?.close();
    this.connection = undefined;
  }
}
