import { type EventOptions, type RecordingOptions, ServiceError } from '@rtms/contracts';
import type { Caller } from '../../platform/auth/caller.js';
import { newID } from '../../platform/database/new-id.js';
import { type CreateRoomDto, roomDefaults, type UpdateRoomDto } from './room.dto.js';
import type { Room } from '../records/room.entity.js';

/** The parts of a new room that do not come from the request. */
interface RoomBasis {
  /** The event settings in force for the room's event type. */
  settings: EventOptions;
  /** null: the room is not recorded from the start. */
  recordingOptions: RecordingOptions | null;
  secureCodeHash: Buffer | null;
  creatorID: string;
  now: Date;
}

/** Makes a room from the request, with defaults for absent fields. */
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
function expiryOf(createdAt: Date, duration: number): Date {
  return new Date(createdAt.getTime() + duration * 60_000);
}

/** The columns that an update changes in a room with `placesTaken` taken places. */
export function changeRoom(room: Room, dto: UpdateRoomDto, placesTaken: number, now: Date): Partial<Room> {
  return { ...durationOf(room, dto, now), ...capacityOf(dto, placesTaken), ...metadataOf(dto) };
}

function durationOf({ createdAt }: Room, { duration }: UpdateRoomDto, now: Date): Partial<Room> {
  if (duration === undefined || duration === null) return {};
  const expiresAt = expiryOf(createdAt, duration);
  if (expiresAt.getTime() > now.getTime()) return { duration, expiresAt };
  throw new ServiceError('invalid_request', 'duration is already over: it counts from the creation of the room.');
}

function capacityOf({ capacity }: UpdateRoomDto, placesTaken: number): Partial<Room> {
  if (capacity === undefined || capacity === null) return {};
  if (capacity >= placesTaken) return { capacity };
  throw new ServiceError(
    'room_full',
    `capacity must be at least ${placesTaken}, the number of taken or reserved places.`,
  );
}

function metadataOf({ metadata }: UpdateRoomDto): Partial<Room> {
  return metadata === undefined || metadata === null ? {} : { metadata };
}
