import type { EndReason, ParticipantRole } from '@rtms/contracts';
import { presentTime } from '../http/present.js';
import type { Participant, ParticipantState } from './participant.entity.js';

export interface PresentedParticipant {
  participantID: string;
  meetingID: string;
  userName: string;
  role: ParticipantRole;
  state: ParticipantState;
  joinedAt: string;
  leftAt: string | null;
  leaveReason: EndReason | null;
}

export function presentParticipant(row: Participant): PresentedParticipant {
  return {
    participantID: row.id,
    meetingID: row.meetingID,
    userName: row.userName,
    role: row.role,
    state: row.state,
    joinedAt: presentTime(row.joinedAt),
    leftAt: presentTime(row.leftAt),
    leaveReason: row.leaveReason,
  };
}
