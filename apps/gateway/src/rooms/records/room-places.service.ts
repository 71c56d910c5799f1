import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import { inScope, wholeAccount, type RoomScope } from '../../platform/auth/room-scope.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { Room } from './room.entity.js';
import { RoomsRepository, type RoomCounts } from './rooms.repository.js';

/** Throws NOT_FOUND, alike for an unknown room and for a room of another account. */
export function requireRoom(room: Room | null): Room {
  if (!room) throw new ServiceError('not_found', 'There is no such room.');
  return room;
}

/** Throws CONFLICT, `room_ended`, when the room has ended or its time is over. */
export function requireRunning(room: Room, now: number): Room {
  if (room.state === 'active' && room.expiresAt.getTime() > now) return room;
  throw new ServiceError('room_ended');
}

/** The places of a room. Members and external sessions take one each. */
@Injectable()
export class RoomPlacesService {
  constructor(
    private readonly rooms: RoomsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The counts of a locked room: nobody joins before the transaction ends. */
  async countLocked(manager: EntityManager, meetingID: string, exceptSessionID?: string): Promise<RoomCounts> {
    const countOf = await this.rooms.count([meetingID], { manager, ...(exceptSessionID && { exceptSessionID }) });
    return countOf(meetingID);
  }

  /**
   * Checks that the room has a free place. Until the transaction ends, the room neither ends nor lets anybody else in.
   * `exceptSessionID` has its place already. Throws CONFLICT, `room_ended` or `room_full`.
   */
  async take(
    manager: EntityManager,
    { accountID, meetingID }: { accountID: string; meetingID: string },
    exceptSessionID?: string,
  ): Promise<void> {
    const { capacity } = await this.lockRunning(manager, wholeAccount(accountID), meetingID);
    const { participantCount, reservedCount } = await this.countLocked(manager, meetingID, exceptSessionID);
    if (participantCount + reservedCount >= capacity) throw new ServiceError('room_full');
  }

  /** Locks the room until the transaction ends. Throws CONFLICT, `room_ended`, when the room has ended. */
  async lockRunning(manager: EntityManager, scope: RoomScope, meetingID: string): Promise<Room> {
    // The room's key does not change, so other transactions may insert rows that refer to the room.
    const lock = { mode: 'for_no_key_update' as const };
    const room = requireRoom(await manager.findOne(Room, { where: inScope<Room>(scope, { id: meetingID }), lock }));
    return requireRunning(room, this.clock.now());
  }
}
