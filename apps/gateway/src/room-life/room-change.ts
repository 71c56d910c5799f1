import { ServiceError, type RoomEvents } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import type { WorkerCommand } from '../media-commands/worker-command.js';
import { Participant } from '../participants/participant.entity.js';
import type { Room } from '../rooms/room.entity.js';
import { presentRosterEntry } from './present-roster.js';
import type { NewRoomEvent } from './room-events.store.js';
import type { RoomNews } from './room-news.js';

/** What the same transaction changes and tells; the room is locked meanwhile, so changes of it never overlap. */
export class RoomChange {
  readonly events: NewRoomEvent[] = [];
  /** Told once all is committed. */
  readonly news: RoomNews[] = [];
  readonly commands: WorkerCommand[] = [];

  constructor(
    readonly manager: EntityManager,
    readonly room: Room,
    readonly now: Date,
  ) {}

  /** `audience`: the only ones who are told. */
  emit<Type extends keyof RoomEvents>(type: Type, body: RoomEvents[Type], audience: readonly string[] | null = null) {
    this.events.push({ type, body, audience } as NewRoomEvent);
  }

  /** Somebody whom the others see. */
  async find(participantID: string): Promise<Participant | undefined> {
    const { id: meetingID } = this.room;
    const row = await this.manager.findOneBy(Participant, { id: participantID, meetingID, state: 'joined' });
    return row?.connectedAt ? row : undefined;
  }

  /** As `find`; NOT_FOUND for one who is not in this room. */
  async require(participantID: string): Promise<Participant> {
    const row = await this.find(participantID);
    if (!row) throw new ServiceError('not_found', 'There is no such participant in the room.');
    return row;
  }

  /** Everybody sees what is changed of somebody whom they see. */
  async update(row: Participant, set: Partial<Participant>): Promise<void> {
    await this.store(row, set);
    if (row.connectedAt) this.emit('participant.changed', { participant: presentRosterEntry(row, this.room) });
  }

  /** As `update`, told to nobody. */
  async store(row: Participant, set: Partial<Participant>): Promise<void> {
    await this.manager.update(Participant, row.id, set);
    Object.assign(row, set);
  }
}
