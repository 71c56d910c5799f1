import type { Clock } from '@rtms/clock';
import { ServiceError, type EndReason, type RoomEvent, type RoomSignal, type SocketAnswer } from '@rtms/contracts';
import { toServiceError } from '@rtms/http';
import { SerialQueue } from '@rtms/node';
import type { Addressee } from '../life/room-change.js';
import type { Actor, RoomSocket } from './room-io.js';
import { CommandAllowance } from '../life/command-budgets.js';
import { parseCommand, type AnyCommand } from './command-schemas.js';
import type { Follower } from './room-event-feeds.service.js';

type Answer = (answer: SocketAnswer<unknown>) => void;

/** A media node may take this long for a command. */
const answeredWithinMs = 5_000;

export interface CommandPerformer {
  perform(actor: Actor, command: AnyCommand): Promise<object>;
}

/** A socket of a member. It runs commands one after the other and delivers the room's events. */
export class MemberSocket implements Follower {
  sequence: number;
  private readonly actor: Actor;
  private readonly allowance = new CommandAllowance();
  private readonly turns = new SerialQueue();
  private isAtWork = false;
  isEnding = false;

  constructor(
    private readonly socket: RoomSocket,
    private readonly commands: CommandPerformer,
    private readonly clock: Clock,
    private readonly onFailure: (error: ServiceError, cause: unknown) => void,
  ) {
    this.actor = socket.data.actor;
    this.sequence = socket.data.sequence;
    socket.on('command', (command: unknown, answer: unknown) => this.receive(command, answer));
    socket.onAny((name: string, ...rest: unknown[]) => {
      if (name !== 'command') this.receive(undefined, rest.at(-1));
    });
  }

  get connection(): Actor {
    return this.actor;
  }

  get participantID(): string {
    return this.actor.participantID;
  }

  get role(): Actor['role'] {
    return this.actor.role;
  }

  get sees(): 'room' | 'itself' {
    return this.actor.sessionID === undefined ? 'room' : 'itself';
  }

  /** Emits the event to these members of this replica. The packet is encoded once. */
  emitToAll(event: RoomEvent, members: readonly MemberSocket[]): void {
    const own = members.map(({ socket }) => socket.id);
    this.socket.nsp.local.to(own).emit('event', event);
  }

  /** Applies an event that the member got to this connection. */
  follow(event: RoomEvent): void {
    if (event.type === 'participant.changed' && event.participant.participantID === this.participantID)
      this.actor.role = event.participant.role;
    if (event.type === 'room.ended') this.end(event.reason);
    if (event.type === 'participant.left' && event.participantID === this.participantID) this.end(event.reason);
  }

  /** A media node identifies the publisher of an external session by the session ID. */
  isAmong({ meetingID, participantID }: Addressee): boolean {
    const mediaID = this.actor.sessionID ?? this.participantID;
    return this.actor.meetingID === meetingID && (participantID ?? mediaID) === mediaID;
  }

  signal(signal: RoomSignal): void {
    if (!this.isEnding) this.socket.emit('signal', signal);
  }

  /** Idempotent. A running command is answered first, because its sender would take the end for a failure. */
  end(reason: EndReason | 'replaced'): void {
    if (this.isEnding) return;
    this.isEnding = true;
    if (this.isAtWork) void this.answered().then(() => this.sayFarewell(reason));
    else this.sayFarewell(reason);
  }

  private sayFarewell(reason: EndReason | 'replaced'): void {
    this.socket.emit('farewell', { reason });
    this.socket.disconnect(true);
  }

  private async answered(): Promise<void> {
    const done = new AbortController();
    void this.turns.idle().then(() => done.abort());
    await this.clock.pause(answeredWithinMs, done.signal);
  }

  private receive(sent: unknown, answer: unknown): void {
    const reply: Answer = typeof answer === 'function' ? (answer as Answer) : () => undefined;
    switch (this.allowance.take(this.clock.now())) {
      case 'disconnect':
        this.socket.disconnect(true);
        return;
      case 'refused':
        reply(failureOf(new ServiceError('rate_limited', 'Too many commands. Slow down.')));
        return;
      case 'allowed':
        void this.turns.run(() => this.perform(sent, reply));
    }
  }

  private async perform(sent: unknown, reply: Answer): Promise<void> {
    if (this.isEnding) return;
    this.isAtWork = true;
    try {
      const done = await this.commands.perform(this.actor, parseCommand(sent));
      reply({ success: true, ...done });
    } catch (error) {
      const failure = toServiceError(error);
      this.onFailure(failure, error);
      reply(failureOf(failure));
    } finally {
      this.isAtWork = false;
    }
  }
}

/** Delivers an event to members with the same view, except to connections that are ending. */
export function deliverToMembers(event: RoomEvent, members: readonly MemberSocket[]): void {
  const open = members.filter(({ isEnding }) => !isEnding);
  open[0]?.emitToAll(event, open);
  for (const member of open) member.follow(event);
}

function failureOf(error: ServiceError): SocketAnswer<never> {
  return error.toBody() as SocketAnswer<never>;
}
