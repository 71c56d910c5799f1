import { ServiceError } from '@rtms/contracts';
import type { Room } from './room.entity.js';

/** NOT_FOUND for an unknown room and for one of another account alike. */
export function requireRoom(room: Room | null): Room {
  if (!room) throw new ServiceError('not_found', 'There is no such room.');
  return room;
}

/** CONFLICT, `room_ended`, when it has ended or its time is over. */
export function requireRunning(room: Room, now: number): Room {
  if (room.state === 'active' && room.expiresAt.getTime() > now) return room;
  throw new ServiceError('room_ended', 'The room has ended.');
}
