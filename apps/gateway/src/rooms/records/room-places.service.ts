import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import type { EntityManager } from 'typeorm';
import { inScope, wholeAccount, type RoomScope } from '../../platform/auth/room-scope.js';
import { WorkLines } from '../../platform/jobs/work-lines.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { Room } from './room.entity.js';
import { RoomsRepository, type LockedRoom, type RoomCounts } from './rooms.repository.js';

/** Throws NOT_FOUND, alike for an unknown room and for a room of another account. */
export function requireRoom(room: Room | null | undefined): Room {
  if (!room) throw new ServiceError('not_found', 'There is no such room.');
  return room;
}

/** Throws CONFLICT, `room_ended`, when the room has ended or its time is over. */
export function requireRunning<Life extends Pick<Room, 'state' | 'expiresAt'>>(room: Life, now: number): Life {
  if (room.state === 'active' && room.expiresAt.getTime() > now) return room;
  throw new ServiceError('room_ended');
}

/** Callers of one account that wait for rooms. */
const longestLine = 500;

/** A locked room with its counts. */
export interface RoomPlaces {
  room: LockedRoom;
  counts: RoomCounts;
}

/** The places of a room. Members and external sessions take one each. */
@Injectable()
export class RoomPlacesService {
  private readonly waiting = new WorkLines(longestLine);

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
    const room = await this.lockRunning(manager, wholeAccount(accountID), meetingID);
    this.requirePlace({ room, counts: await this.countLocked(manager, meetingID, exceptSessionID) });
  }

  /** Throws CONFLICT, `room_ended` or `room_full`, when nobody may take a place. */
  requirePlace({ room, counts: { participantCount, reservedCount } }: RoomPlaces): void {
    const { capacity } = requireRunning(room, this.clock.now());
    if (participantCount + reservedCount >= capacity) throw new ServiceError('room_full');
  }

  /** Locks and counts several rooms at once, without waiting. Rooms that somebody else has locked, or that do not exist, are absent. */
  async lockFree(
    manager: EntityManager,
    accountID: string,
    meetingIDs: readonly string[],
  ): Promise<Map<string, RoomPlaces>> {
    // The counts are read after the locks: the statements of a transaction run in the order of their calls.
    const [rooms, countOf] = await Promise.all([
      this.rooms.lockFree(manager, accountID, meetingIDs),
      this.rooms.count(meetingIDs, { manager }),
    ]);
    return new Map(rooms.map(room => [room.id, { room, counts: { ...countOf(room.id) } }]));
  }

  /**
   * Waits until no transaction has the room locked. Returns false if the room does not exist. One caller of an account waits at a time, so
   * that waiting holds few connections.
   */
  waitUntilFree({ accountID, meetingID }: { accountID: string; meetingID: string }): Promise<boolean> {
    return this.waiting.run(accountID, () => this.rooms.waitUntilFree(meetingID));
  }

  /** Locks the room until the transaction ends. Throws CONFLICT, `room_ended`, when the room has ended. */
  async lockRunning(manager: EntityManager, scope: RoomScope, meetingID: string): Promise<Room> {
    // The room's key does not change, so other transactions may insert rows that refer to the room.
    const lock = { mode: 'for_no_key_update' as const };
    const room = requireRoom(await manager.findOne(Room, { where: inScope<Room>(scope, { id: meetingID }), lock }));
    return requireRunning(room, this.clock.now());
  }
}
