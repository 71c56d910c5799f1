import { presentTime } from '../http/present.js';
import type { Room } from './room.entity.js';

/** What runs in a room now. */
export interface RoomCounts {
  participantCount: number;
  externalSessionCount: number;
}

/** A room as callers see it; the secure code is never part of it. */
export function presentRoom(room: Room, { participantCount, externalSessionCount }: RoomCounts) {
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
    externalSessionCount,
    settings: room.settings,
    metadata: room.metadata,
    createdAt: presentTime(room.createdAt),
    expiresAt: presentTime(room.expiresAt),
    endedAt: presentTime(room.endedAt),
    endReason: room.endReason,
  };
}

export type PresentedRoom = ReturnType<typeof presentRoom>;
