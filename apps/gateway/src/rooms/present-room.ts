import { endReasons, eventTypes, roomTransitions } from '@rtms/contracts';
import { z } from 'zod';
import { keyTypes } from '../auth/caller.js';
import { eventOptionsSchema } from '../event-settings/event-options.js';
import { count, identifier, oneOfKeys, openObject, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import type { Room } from './room.entity.js';

/** The places of a room that are taken now: `participantCount` and `reservedCount` together. */
export interface RoomCounts {
  /** Connected members and active external sessions. */
  participantCount: number;
  /** Tickets and sessions that wait to connect, and the place kept for the creator. */
  reservedCount: number;
  externalSessionCount: number;
}

/** A room as callers see it; the secure code is never part of it. */
export const roomSchema = z
  .object({
    meetingID: identifier('room'),
    roomName: z.string().nullable(),
    eventType: z.enum(eventTypes),
    state: oneOfKeys(roomTransitions),
    keyType: z.enum(keyTypes),
    hostName: z.string(),
    /** Minutes. */
    duration: count,
    capacity: count,
    participantCount: count.describe('Connected members and active external sessions.'),
    reservedCount: count.describe('Places of those who are not connected yet or may come back, the creator included.'),
    externalSessionCount: count,
    settings: eventOptionsSchema,
    metadata: openObject,
    createdAt: time,
    expiresAt: time,
    endedAt: time.nullable(),
    endReason: z.enum(endReasons).nullable(),
  })
  .meta({ id: 'Room' });
export type PresentedRoom = z.infer<typeof roomSchema>;

export function presentRoom(
  room: Room,
  { participantCount, reservedCount, externalSessionCount }: RoomCounts,
): PresentedRoom {
  return {
    meetingID: room.id,
    roomName: room.roomName,
    eventType: room.eventType,
    state: room.state,
    keyType: room.keyType,
    hostName: room.hostName,
    duration: room.duration,
    capacity: room.capacity,
    participantCount,
    reservedCount,
    externalSessionCount,
    settings: room.settings,
    metadata: room.metadata,
    createdAt: presentTime(room.createdAt),
    expiresAt: presentTime(room.expiresAt),
    endedAt: presentTime(room.endedAt),
    endReason: room.endReason,
  };
}
