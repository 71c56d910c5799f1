import type {
  ParticipantRole,
  RoomEvent,
  RoomSignal,
  SocketCommandName,
  SocketCommands,
  SocketWelcome,
} from '@rtms/contracts';
import type { MediaPorts } from './media/media-ports.js';
import { RoomMedia } from './media/room-media.js';
import type { ConnectionState, RoomEventMap } from './room-events.js';
import { connectionClosed, RtmsError } from './signalling/rtms-error.js';
import type { ConnectionPhase } from './signalling/connection-phase.js';
import type { Farewell } from './signalling/room-connection.js';
import { Signalling, type SignallingListener, type SignallingOptions } from './signalling/signalling.js';
import { apply, stateOf, type RoomState } from './state/room-state.js';
import { TypedEmitter } from './media/typed-emitter.js';

export type RoomPorts = SignallingOptions & Pick<MediaPorts, 'createDevice'>;

/** Limit for the service to confirm `leave`. */
const leavingMs = 3_000;

/** A member's session in a room: connects the connection, the state and the media. */
export class RoomSession implements SignallingListener {
  readonly events = new TypedEmitter<RoomEventMap>();
  readonly media: RoomMedia;
  participantID = '';
  role: ParticipantRole = 'viewer';
  speaker: string | null = null;
  connectionState: ConnectionState = 'connecting';
  private known: RoomState | undefined;
  private readonly signalling: Signalling;
  private leaving: Promise<void> | undefined;

  constructor(private readonly ports: RoomPorts) {
    this.signalling = new Signalling(ports, this);
    const { createDevice, clock, random } = ports;
    const send: MediaPorts['send'] = (name, request) => this.send(name, request);
    this.media = new RoomMedia({ send, createDevice, clock, random }, state =>
      this.events.emit('media.changed', { state }),
    );
  }

  get state(): RoomState {
    if (!this.known) throw connectionClosed('The room has not been joined.');
    return this.known;
  }

  get sequence(): number | undefined {
    return this.known?.sequence;
  }

  /** Connects. Resolves with the first welcome. */
  join(withinMs: number): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const late = new RtmsError(
        'SERVICE_UNAVAILABLE',
        'The room did not answer in time. Try again.',
        'controller_unavailable',
      );
      const settled: (() => void)[] = [];
      const settle = (error?: RtmsError) => {
        timer.cancel();
        for (const forget of settled) forget();
        if (!error) return resolve();
        this.close(error);
        reject(error);
      };
      const timer = this.ports.clock.after(withinMs, () => settle(late));
      settled.push(
        this.events.on('state.changed', () => settle()),
        this.events.on('farewell', end => settle('error' in end ? end.error : connectionClosed())),
      );
      this.signalling.start();
    });
  }

  send<Name extends SocketCommandName>(
    name: Name,
    request: SocketCommands[Name]['request'],
  ): Promise<SocketCommands[Name]['reply']> {
    return this.signalling.send(name, request);
  }

  hurry(): void {
    this.signalling.hurry();
  }

  leave(): Promise<void> {
    this.leaving ??= this.sayFarewell();
    return this.leaving;
  }

  close(error?: RtmsError): void {
    this.media.close();
    this.signalling.close(error);
  }

  onWelcome({ participantID, role, snapshot, sequence }: SocketWelcome): void {
    this.participantID = participantID;
    this.role = role;
    if (snapshot) this.replace(stateOf(snapshot, sequence));
  }

  onEvent(event: RoomEvent): void {
    if (!this.known) return;
    const next = apply(this.known, event);
    if (next === this.known) return;
    this.replace(next, () => this.events.emit(event.type, event));
  }

  onSignal(signal: RoomSignal): void {
    if (signal.type !== 'speaker.changed') return this.media.hear(signal);
    this.speaker = signal.participantID;
    this.events.emit('speaker.changed', { participantID: signal.participantID });
  }

  onPhase(phase: ConnectionPhase): void {
    const state = stateOfPhase(phase, this.known !== undefined);
    if (state === this.connectionState) return;
    this.connectionState = state;
    this.events.emit('connection.changed', { state });
  }

  onEnd(end: Farewell | RtmsError): void {
    this.media.close();
    this.events.emit('farewell', end instanceof RtmsError ? { error: end } : end);
  }

  private replace(next: RoomState, tell: () => void = () => undefined): void {
    const former = this.known;
    this.known = next;
    this.media.follow(former?.roster ?? [], next.roster);
    tell();
    this.events.emit('state.changed', next);
  }

  private async sayFarewell(): Promise<void> {
    this.media.close();
    const heard = new AbortController();
    this.signalling.send('leave', {}).then(
      () => heard.abort(),
      () => heard.abort(),
    );
    await this.ports.clock.pause(leavingMs, heard.signal);
    this.close();
  }
}

function stateOfPhase(phase: ConnectionPhase, wasConnected: boolean): ConnectionState {
  switch (phase) {
    case 'connected':
    case 'closed':
      return phase;
    case 'connecting':
    case 'waiting':
      return wasConnected ? 'reconnecting' : 'connecting';
    default:
      return phase satisfies never;
  }
}
