import { ServiceError, type RoomEvents, type RosterEntry, type TrackSource, type RoomSignal } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import type { WorkerCommand } from '../../platform/workers/worker-command.js';
import { Participant } from '../records/participant.entity.js';
import type { Room } from '../records/room.entity.js';
import type { NewRoomEvent } from './room-events.repository.js';
import { mayPublish } from './permissions.js';

/** A change of a room in one transaction, with its events. The room is locked, so changes never overlap. */
export class RoomChange {
  readonly events: NewRoomEvent[] = [];
  /** Sent after the commit. */
  readonly commands: WorkerCommand[] = [];

  constructor(
    readonly manager: EntityManager,
    readonly room: Room,
    readonly now: Date,
  ) {}

  /** `audience`: the only participants that get the event. */
  emit<Type extends keyof RoomEvents>(type: Type, body: RoomEvents[Type], audience: readonly string[] | null = null) {
    this.events.push({ type, body, audience } as NewRoomEvent);
  }

  /** A participant that the others see. */
  async find(participantID: string): Promise<Participant | undefined> {
    const { id: meetingID } = this.room;
    const row = await this.manager.findOneBy(Participant, { id: participantID, meetingID, state: 'joined' });
    return row?.connectedAt ? row : undefined;
  }

  /** As `find`. Throws NOT_FOUND for a participant that is not in this room. */
  async require(participantID: string): Promise<Participant> {
    const row = await this.find(participantID);
    if (!row) throw new ServiceError('not_found', 'There is no such participant in the room.');
    return row;
  }

  /** The participant of an external session, also after it left. */
  findOfSession(sessionID: string): Promise<Participant | null> {
    return this.manager.findOneBy(Participant, { sessionID });
  }

  listMembers(): Promise<Participant[]> {
    return this.manager.findBy(Participant, { meetingID: this.room.id, state: 'joined', kind: 'member' });
  }

  /** Adds a participant that everybody sees. */
  async add(row: Participant): Promise<void> {
    await this.manager.insert(Participant, row);
    this.emit('participant.joined', { participant: presentRosterEntry(row, this.room) });
  }

  /** Changes a participant, with an event when the others see the participant. */
  async update(row: Participant, set: Partial<Participant>): Promise<void> {
    await this.store(row, set);
    if (row.connectedAt) this.emit('participant.changed', { participant: presentRosterEntry(row, this.room) });
  }

  /** As `update`, without an event. */
  async store(row: Participant, set: Partial<Participant>): Promise<void> {
    await this.manager.update(Participant, row.id, set);
    Object.assign(row, set);
  }
}

export function presentRosterEntry(row: Participant, { settings }: Pick<Room, 'settings'>): RosterEntry {
  return {
    participantID: row.id,
    kind: row.kind,
    userName: row.userName,
    role: row.role,
    isConnected: row.isConnected,
    tracks: row.tracks,
    mayPublish: row.kind === 'member' ? mayPublish(settings, row) : sourcesOf(row),
    requests: row.requests,
    breakout: row.breakout,
    whiteboard: row.whiteboard,
    health: row.health,
  };
}

/** An external session may publish the sources of its current tracks. */
function sourcesOf({ tracks }: Participant): TrackSource[] {
  return tracks.map(track => track.source);
}

/** All participants of a room, or one of them. */
export interface Addressee {
  meetingID: string;
  participantID?: string | undefined;
}

declare module '../../platform/runtime/domain-events.js' {
  interface DomainEventMap {
    /** Only for the sockets of this replica, because every replica receives the media event behind the signal. */
    'room.signal': [to: Addressee, signal: RoomSignal];
  }
}
