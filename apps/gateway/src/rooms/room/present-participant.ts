import { endReasons, participantRoles } from '@rtms/contracts';
import { z } from 'zod';
import { identifier, time } from '../../platform/http/answers.js';
import { oneOf } from '../../platform/http/fields.js';
import { presentTime } from '../../platform/http/present.js';
import { participantStates, type Participant } from '../records/participant.entity.js';

export const participantSchema = z
  .object({
    participantID: identifier('part'),
    meetingID: identifier('room'),
    userName: z.string().describe('Name of the participant.'),
    role: oneOf(participantRoles).describe('Role of the participant.'),
    state: z.enum(participantStates).describe('`joined`: has a ticket. `connected`: is in the room.'),
    joinedAt: time.describe('When the ticket was issued.'),
    leftAt: time.nullable().describe('When the participant left; null: not yet.'),
    leaveReason: z.enum(endReasons).nullable().describe('Why the participant left.'),
  })
  .meta({ id: 'Participant', description: 'A participant of a room.' });
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
