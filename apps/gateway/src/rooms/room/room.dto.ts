import { eventTypes, roomTransitions, participantRoles } from '@rtms/contracts';
import { z } from 'zod';
import { keyTypes } from '../../platform/auth/caller.js';
import { eventOptionsSchema } from '../../settings/event-settings/event-setting.dto.js';
import { count, endReason, identifier, oneOfKeys, time } from '../../platform/http/answers.js';
import { oneOf, openObject, text, whole, flag, idOf, queryText, secretText } from '../../platform/http/fields.js';
import { presentFields, presentTime } from '../../platform/http/present.js';
import type { RoomCounts } from '../records/rooms.repository.js';
import type { Room } from '../records/room.entity.js';
import { participantStates, type Participant } from '../records/participant.entity.js';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';

const roomFields = {
  roomName: text(1, 64)
    .nullable()
    .meta({
      description: 'Name of the room, unique among the active rooms of the account.',
      examples: ['Weekly planning'],
    }),
  eventType: oneOf(eventTypes).describe('Room type.'),
  duration: whole(1, 1440, 'minutes').meta({
    description: 'Minutes from the creation of the room to its end.',
    examples: [60],
  }),
  capacity: whole(2, 100_000, 'participants').meta({
    description: 'Greatest number of participants and external sessions.',
    examples: [20],
  }),
  metadata: openObject.meta({
    description: 'Data of the application, at most 4 KiB as JSON.',
    examples: [{ course: 'algebra-1' }],
  }),
};

const fields = {
  ...roomFields,
  state: oneOfKeys(roomTransitions).describe('State of the room.'),
  keyType: oneOf(keyTypes).describe('Environment of the room.'),
  hostName: z.string().describe('Name of the host.'),
  settings: eventOptionsSchema,
  createdAt: time.describe('When the room was created.'),
  expiresAt: time.describe('When the room ends at the latest.'),
  endedAt: time.nullable().describe('When the room ended; null: not yet.'),
  endReason: endReason.nullable().describe('Why the room ended.'),
};

export const roomSchema = z
  .object({
    meetingID: identifier('room'),
    ...fields,
    participantCount: count.describe('Connected participants and active external sessions.'),
    reservedCount: count.describe(
      'Places of participants that are not connected yet or may return, and of the creator.',
    ),
    externalSessionCount: count.describe('External sessions that have not ended.'),
  })
  .meta({ id: 'Room', description: 'A room. Answers never contain its secure code.' });
export type PresentedRoom = z.infer<typeof roomSchema>;

export function presentRoom(room: Room, counts: RoomCounts): PresentedRoom {
  const { participantCount, reservedCount, externalSessionCount } = counts;
  return {
    meetingID: room.id,
    ...presentFields(fields, room),
    ...{ participantCount, reservedCount, externalSessionCount },
  };
}

export const participantSchema = z
  .object({
    participantID: identifier('part'),
    meetingID: identifier('room'),
    userName: z.string().describe('Name of the participant.'),
    role: oneOf(participantRoles).describe('Role of the participant.'),
    state: z.enum(participantStates).describe('`joined`: has a ticket. `connected`: is in the room.'),
    joinedAt: time.describe('When the ticket was issued.'),
    leftAt: time.nullable().describe('When the participant left; null: not yet.'),
    leaveReason: endReason.nullable().describe('Why the participant left.'),
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

/** `duration` is in minutes. */
export const roomDefaults = { duration: 60, capacity: 20, recordOnStart: false };

const { roomName, eventType, duration, capacity, metadata } = roomFields;
const userName = text(1, 64).meta({ description: 'Name of the participant.', examples: ['Ada'] });
const secureCode = secretText(5, 64);
const meetingID = idOf('a room');

export class CreateRoomDto extends Dto({
  userName: text(1, 64).meta({ description: 'Name of the host.', examples: ['Ada'] }),
  ...optional(
    {
      ...{ duration, capacity },
      eventType: eventType.describe('Room type, which chooses the event settings.'),
      roomName,
      secureCode: secureCode.meta({
        description: 'Code that participants must send to join.',
        examples: ['sesame-42'],
      }),
      metadata,
      recordOnStart: flag.describe('Whether the room is recorded as a whole, from its first media on.'),
    },
    roomDefaults,
  ),
}) {}

export class JoinRoomDto extends Dto({
  ...{ meetingID, userName },
  ...optional({
    secureCode: secureCode.meta({ description: 'The code of the room, if it has one.', examples: ['sesame-42'] }),
    role: oneOf(participantRoles).describe('Role of the participant.'),
    participantID: idOf('a participant').describe(
      'Returns as this participant. Needs `ticket`; userName, role and secureCode then change nothing.',
    ),
    ticket: secretText(1, 4096).describe('The former `join.token` of the participant.'),
  }),
}) {}

/** Absent fields stay the same. */
export class UpdateRoomDto extends Dto({ meetingID, ...optional({ duration, capacity, metadata }) }) {}

export class RoomIDDto extends Dto({ meetingID }) {}

export class GetRoomsDto extends Dto(
  optionalQuery({
    meetingID: queryText(),
    state: oneOf(['active', 'ended']).describe('Answers only rooms in this state.'),
    eventType,
    roomName: queryText(),
  }),
) {}
