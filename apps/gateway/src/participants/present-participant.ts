import { endReasons, participantRoles } from '@rtms/contracts';
import { z } from 'zod';
import { identifier, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import { participantStates, type Participant } from './participant.entity.js';

export const participantSchema = z
  .object({
    participantID: identifier('part'),
    meetingID: identifier('room'),
    userName: z.string(),
    role: z.enum(participantRoles),
    state: z.enum(participantStates),
    joinedAt: time,
    leftAt: time.nullable(),
    leaveReason: z.enum(endReasons).nullable(),
  })
  .meta({ id: 'Participant' });
export type PresentedParticipant = z.infer<typeof participantSchema>;

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
