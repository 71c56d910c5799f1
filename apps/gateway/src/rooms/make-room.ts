import type { EventOptions, RecordingOptions } from '@rtms/contracts';
import type { Caller } from '../auth/caller.js';
import { newID } from '../ids/new-id.js';
import { roomDefaults, type CreateRoomDto } from './dto/create-room.dto.js';
import type { Room } from './room.entity.js';

/** What a new room gets besides what was asked for. */
export interface RoomBasis {
  /** The event settings in force for its type. */
  settings: EventOptions;
  /** null: it is not recorded from the start. */
  recordingOptions: RecordingOptions | null;
  secureCodeHash: Buffer | null;
  creatorID: string;
  now: Date;
}

/** A new room from what was asked for; whatever was left out gets its default. */
export function makeRoom(
  caller: Caller,
  dto: CreateRoomDto,
  { settings, recordingOptions, secureCodeHash, creatorID, now }: RoomBasis,
): Room {
  const duration = dto.duration ?? roomDefaults.duration;
  return {
    id: newID('room'),
    accountID: caller.accountID,
    roomName: dto.roomName ?? null,
    eventType: settings.type,
    state: 'active',
    keyType: caller.keyType,
    hostName: dto.userName,
    creatorID,
    duration,
    capacity: dto.capacity ?? roomDefaults.capacity,
    settings,
    metadata: dto.metadata ?? {},
    secureCodeHash,
    recordOnStart: dto.recordOnStart ?? roomDefaults.recordOnStart,
    recordingOptions,
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
