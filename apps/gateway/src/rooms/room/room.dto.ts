import { participantRoles } from '@rtms/contracts';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { flag, idOf, oneOf, queryText, secretText, text } from '../../platform/http/fields.js';
import { roomFields } from './present-room.js';

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
      recordOnStart: flag.describe('Whether recording starts with the room.'),
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
