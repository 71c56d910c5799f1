import { Injectable } from '@nestjs/common';
import type { EndReason } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import { newLife, Participant } from './participant.entity.js';

/** What is known of somebody who is about to join. */
export type NewParticipant = Pick<Participant, 'id' | 'accountID' | 'meetingID' | 'userName' | 'role'>;

/** Who is in a room. What changes here changes in the transaction of whoever asks for it. */
@Injectable()
export class ParticipantsService {
  /** The room has a place for them: see `RoomPlaces`. It is kept until `graceUntil` for one that does not connect. */
  async join(manager: EntityManager, who: NewParticipant, joinedAt: Date, graceUntil: Date): Promise<Participant> {
    const presence = { state: 'joined' as const, joinedAt, leftAt: null, leaveReason: null };
    const participant: Participant = { ...newLife(), ...who, ...presence, graceUntil };
    await manager.insert(Participant, participant);
    return participant;
  }

  /** Everybody leaves a room. */
  async leaveAll(manager: EntityManager, meetingID: string, leaveReason: EndReason, leftAt: Date): Promise<void> {
    await manager.update(Participant, { meetingID, state: 'joined' }, leftColumns(leaveReason, leftAt));
  }
}

/** One who left takes the same place again; the others see a newcomer. */
export function returnedColumns(joinedAt: Date, graceUntil: Date) {
  return { ...newLife(), state: 'joined' as const, joinedAt, leftAt: null, leaveReason: null, graceUntil };
}

/** What becomes of one who leaves. */
export function leftColumns(leaveReason: EndReason, leftAt: Date) {
  const gone = { connectionID: null, replicaID: null, isConnected: false, graceUntil: null, tracks: [], requests: [] };
  return { ...gone, state: 'left' as const, leaveReason, leftAt };
}
