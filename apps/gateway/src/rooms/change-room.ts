import { ServiceError } from '@rtms/contracts';
import type { UpdateRoomDto } from './dto/update-room.dto.js';
import { expiryOf } from './make-room.js';
import type { Room } from './room.entity.js';

/** The columns that an update changes, now that so many places are taken. */
export function changeRoom(room: Room, dto: UpdateRoomDto, placesTaken: number, now: Date): Partial<Room> {
  return { ...durationOf(room, dto, now), ...capacityOf(dto, placesTaken), ...metadataOf(dto) };
}

function durationOf({ createdAt }: Room, { duration }: UpdateRoomDto, now: Date): Partial<Room> {
  if (duration === undefined || duration === null) return {};
  const expiresAt = expiryOf(createdAt, duration);
  if (expiresAt.getTime() > now.getTime()) return { duration, expiresAt };
  throw new ServiceError('invalid_request', 'Duration is over already: it counts from when the room was created.');
}

function capacityOf({ capacity }: UpdateRoomDto, placesTaken: number): Partial<Room> {
  if (capacity === undefined || capacity === null) return {};
  if (capacity >= placesTaken) return { capacity };
  throw new ServiceError(
    'room_full',
    `Capacity must be at least ${placesTaken}: so many places are taken or reserved.`,
  );
}

function metadataOf({ metadata }: UpdateRoomDto): Partial<Room> {
  return metadata === undefined || metadata === null ? {} : { metadata };
}
