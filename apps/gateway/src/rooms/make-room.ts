import type { Caller } from '../auth/caller.js';
import { newID } from '../ids/new-id.js';
import type { CreateRoomDto } from './dto/create-room.dto.js';
import type { EventOptions } from '../event-settings/event-options.js';
import type { Room } from './room.entity.js';

const defaultMinutes = 60;
const defaultCapacity = 20;

/** What a new room gets besides what was asked for. */
export interface RoomBasis {
  /** The event settings in force for its type. */
  settings: EventOptions;
  secureCodeHash: Buffer | null;
  now: Date;
}

/** A new room from what was asked for; whatever was left out gets its default. */
export function makeRoom(caller: Caller, dto: CreateRoomDto, { settings, secureCodeHash, now }: RoomBasis): Room {
  const duration = dto.duration ?? defaultMinutes;
  return {
    id: newID('room'),
    accountID: caller.accountID,
    roomName: dto.roomName ?? null,
    eventType: settings.type,
    state: 'active',
    keyType: caller.keyType,
    hostName: dto.userName,
    duration,
    capacity: dto.capacity ?? defaultCapacity,
    settings,
    metadata: dto.metadata ?? {},
    secureCodeHash,
    recordOnStart: dto.recordOnStart ?? false,
    createdAt: now,
    expiresAt: expiryOf(now, duration),
    endedAt: null,
    endReason: null,
  };
}

/** `duration` is in minutes. */
export function expiryOf(createdAt: Date, duration: number): Date {
  return new Date(createdAt.getTime() + duration * 60_000);
}
