import { Injectable } from '@nestjs/common';
import type { EndReason } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import { Participant } from './participant.entity.js';

/** What is known of somebody who is about to join. */
export type NewParticipant = Pick<Participant, 'id' | 'accountID' | 'meetingID' | 'userName' | 'role'>;

/** Who is in a room. What changes here changes in the transaction of whoever asks for it. */
@Injectable()
export class ParticipantsService {
  /** The room has a place for them: see `RoomPlaces`. */
  async join(manager: EntityManager, who: NewParticipant, joinedAt: Date): Promise<Participant> {
    const participant: Participant = { ...who, state: 'joined', joinedAt, leftAt: null, leaveReason: null };
    await manager.insert(Participant, participant);
    return participant;
  }

  /** Everybody leaves a room. */
  async leaveAll(manager: EntityManager, meetingID: string, leaveReason: EndReason, leftAt: Date): Promise<void> {
    const change = { state: 'left' as const, leaveReason, leftAt };
    await manager.update(Participant, { meetingID, state: 'joined' }, change);
  }
}
