import { Injectable } from '@nestjs/common';
import { ServiceError, type EndReason } from '@rtms/contracts';
import { DataSource, In, type EntityManager } from 'typeorm';
import { newLife, Participant } from './participant.entity.js';

export { newLife, type Participant } from './participant.entity.js';

/** A participant before it joins. */
export type NewParticipant = Pick<Participant, 'id' | 'accountID' | 'meetingID' | 'userName' | 'role'>;

/** Stores the participants of rooms, in the transactions of the callers. */
@Injectable()
export class ParticipantsService {
  constructor(private readonly dataSource: DataSource) {}

  /** A member or external session that is in a room now. */
  findJoined(id: string, manager = this.dataSource.manager): Promise<Participant | null> {
    return manager.findOneBy(Participant, { id, state: 'joined' });
  }

  findOfSession(sessionID: string, manager = this.dataSource.manager): Promise<Participant | null> {
    return manager.findOneBy(Participant, { sessionID });
  }

  /** Members, and participants of external sessions, also those that have left. */
  listSources(ids: readonly string[], sessionIDs: readonly string[]): Promise<Participant[]> {
    const where = [{ id: In(ids) }, { sessionID: In(sessionIDs) }];
    return this.dataSource.manager.find(Participant, { where });
  }

  /** The members of the room, newest first. */
  listMembers(meetingID: string, atMost: number): Promise<Participant[]> {
    return this.dataSource.manager.find(Participant, {
      where: { meetingID, state: 'joined', kind: 'member' },
      order: { joinedAt: 'DESC', id: 'DESC' },
      take: atMost,
    });
  }

  /** The members of the rooms that publish media. */
  listPublishing(manager: EntityManager, meetingIDs: readonly string[]): Promise<Participant[]> {
    return manager
      .createQueryBuilder(Participant, 'member')
      .where("meeting_id = ANY(:meetingIDs) AND state = 'joined' AND kind = 'member'", { meetingIDs })
      .andWhere('jsonb_array_length(tracks) > 0')
      .getMany();
  }

  /** Finds also a member who left. `locked`: the member stays unchanged until the transaction ends. Throws NOT_FOUND. */
  async requireMember(
    manager: EntityManager,
    of: { id: string; accountID: string; meetingID: string },
    { locked = false } = {},
  ): Promise<Participant> {
    const where = { id: of.id, accountID: of.accountID, meetingID: of.meetingID, kind: 'member' as const };
    const lock = locked ? { lock: { mode: 'pessimistic_read' as const } } : {};
    const member = await manager.findOne(Participant, { where, ...lock });
    if (!member) throw new ServiceError('not_found', 'There is no such participant in this room.');
    return member;
  }

  /** The caller has taken a place, see `RoomPlacesService`. The place is free again at `graceUntil` unless the participant connects. */
  async join(manager: EntityManager, who: NewParticipant, joinedAt: Date, graceUntil: Date): Promise<Participant> {
    const presence = { state: 'joined' as const, joinedAt, leftAt: null, leaveReason: null };
    const participant: Participant = { ...newLife(), ...who, ...presence, graceUntil };
    await manager.insert(Participant, participant);
    return participant;
  }

  /** Marks all participants of the room as left. */
  async leaveAll(manager: EntityManager, meetingID: string, leaveReason: EndReason, leftAt: Date): Promise<void> {
    await manager.update(Participant, { meetingID, state: 'joined' }, leftColumns(leaveReason, leftAt));
  }
}

/** The columns of a participant who left and comes back. The others see a new participant. */
export function returnedColumns(joinedAt: Date, graceUntil: Date) {
  return { ...newLife(), state: 'joined' as const, joinedAt, leftAt: null, leaveReason: null, graceUntil };
}

/** The columns of a participant who leaves. */
export function leftColumns(leaveReason: EndReason, leftAt: Date) {
  const gone = { connectionID: null, replicaID: null, isConnected: false, graceUntil: null, tracks: [], requests: [] };
  return { ...gone, state: 'left' as const, leaveReason, leftAt };
}
