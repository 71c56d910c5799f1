import { endReasons, eventTypes, roomTransitions } from '@rtms/contracts';
import { z } from 'zod';
import { keyTypes } from '../../platform/auth/caller.js';
import { eventOptionsSchema } from '../../settings/event-settings/event-setting.dto.js';
import { count, identifier, oneOfKeys, time } from '../../platform/http/answers.js';
import { oneOf, openObject, text, whole } from '../../platform/http/fields.js';
import { presentFields } from '../../platform/http/present.js';
import type { RoomCounts } from '../records/rooms.repository.js';
import type { Room } from '../records/room.entity.js';

export const roomFields = {
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
  endReason: z.enum(endReasons).nullable().describe('Why the room ended.'),
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
