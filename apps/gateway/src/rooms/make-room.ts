import type { Caller } from '../auth/caller.js';
import { newID } from '../ids/new-id.js';
import type { CreateRoomDto } from './dto/create-room.dto.js';
import { defaultOptions } from '../event-settings/event-options.js';
import type { Room } from './room.entity.js';

const defaultMinutes = 60;
const defaultCapacity = 20;

/** A new room from what was asked for; whatever was left out gets its default. */
export function makeRoom(caller: Caller, dto: CreateRoomDto, secureCodeHash: Buffer | null, now: Date): Room {
  const eventType = dto.eventType ?? 'conference';
  const duration = dto.duration ?? defaultMinutes;
  return {
    id: newID('room'),
    accountID: caller.accountID,
    roomName: dto.roomName ?? null,
    eventType,
    state: 'active',
    keyType: caller.keyType,
    hostName: dto.userName,
    duration,
    capacity: dto.capacity ?? defaultCapacity,
    settings: defaultOptions(eventType),
    metadata: dto.metadata ?? {},
    secureCodeHash,
    recordOnStart: dto.recordOnStart ?? false,
    createdAt: now,
    expiresAt: new Date(now.getTime() + duration * 60_000),
    endedAt: null,
    endReason: null,
  };
}
