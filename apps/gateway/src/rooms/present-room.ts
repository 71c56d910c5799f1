import type { EndReason, RoomState } from '@rtms/contracts';
import type { KeyType } from '../auth/caller.js';
import { presentTime } from '../http/present.js';
import type { EventType, EventOptions } from '../event-settings/event-options.js';
import type { Room } from './room.entity.js';

/** What runs in a room now. */
export interface RoomCounts {
  participantCount: number;
  externalSessionCount: number;
}

/** A room as callers see it; the secure code is never part of it. */
export interface PresentedRoom extends RoomCounts {
  meetingID: string;
  roomName: string | null;
  eventType: EventType;
  state: RoomState;
  keyType: KeyType;
  hostName: string;
  /** Minutes. */
  duration: number;
  capacity: number;
  settings: EventOptions;
  metadata: object;
  createdAt: string;
  expiresAt: string;
  endedAt: string | null;
  endReason: EndReason | null;
}

export function presentRoom(room: Room, { participantCount, externalSessionCount }: RoomCounts): PresentedRoom {
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
