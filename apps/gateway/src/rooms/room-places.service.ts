import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { whereLive } from '../media/live-states.js';
import { inScope, wholeAccount, type RoomScope } from '../auth/room-scope.js';
import { CLOCK } from '../runtime.module.js';
import type { RoomCounts } from './present-room.js';
import { Room } from './room.entity.js';
import { requireRoom, requireRunning } from './require-running.js';

interface Occupancy extends RoomCounts {
  meetingID: string;
}

/** Plain counts: asking the services of what is counted would tie their modules and this one in a knot. */
const occupancyStatement = `
SELECT room.id AS "meetingID", members.connected + sessions.active AS "participantCount",
  members.away + sessions.count - sessions.active + creator.away AS "reservedCount",
  sessions.count AS "externalSessionCount"
FROM unnest($1::text[]) AS room (id),
  LATERAL (SELECT count(*) FILTER (WHERE is_connected)::int AS connected, count(*) FILTER (WHERE NOT is_connected)::int AS away
    FROM participants WHERE meeting_id = room.id AND state = 'joined' AND kind = 'member') AS members,
  LATERAL (SELECT count(*)::int AS count, count(*) FILTER (WHERE state = 'active')::int AS active FROM external_sessions
    WHERE meeting_id = room.id AND ${whereLive()} AND id IS DISTINCT FROM $2) AS sessions,
  -- The creator has a place before the first connection and after a lost one.
  LATERAL (SELECT count(*)::int AS away FROM rooms LEFT JOIN participants ON participants.id = creator_id
    WHERE rooms.id = room.id AND rooms.state = 'active' AND creator_id IS NOT NULL
      AND (participants.id IS NULL OR (participants.state = 'left' AND leave_reason = 'participant_lost'))) AS creator`;

const nobody: RoomCounts = { participantCount: 0, reservedCount: 0, externalSessionCount: 0 };

/** How many are in a room, and whether one more may come. An external session takes a place like anybody else. */
@Injectable()
export class RoomPlaces {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Of each of the given rooms. */
  async count(meetingIDs: readonly string[]): Promise<(meetingID: string) => RoomCounts> {
    const rows = meetingIDs.length === 0 ? [] : await this.read(this.dataSource.manager, meetingIDs);
    const byRoom = new Map(rows.map(({ meetingID, ...counts }) => [meetingID, counts]));
    return meetingID => byRoom.get(meetingID) ?? nobody;
  }

  /** As `count`, of a room that is locked, so that nobody comes before the transaction ends. */
  async countLocked(manager: EntityManager, meetingID: string, exceptSessionID?: string): Promise<RoomCounts> {
    const [counts] = await this.read(manager, [meetingID], exceptSessionID);
    return counts ?? nobody;
  }

  /**
   * For whoever comes in by this transaction: until it ends the room neither ends nor takes in anybody else. A session
   * that has its place already is not counted twice. CONFLICT, `room_ended` or `capacity_reached`.
   */
  async take(
    manager: EntityManager,
    { accountID, meetingID }: { accountID: string; meetingID: string },
    exceptSessionID?: string,
  ): Promise<void> {
    const { capacity } = await this.lockRunning(manager, wholeAccount(accountID), meetingID);
    const { participantCount, reservedCount } = await this.countLocked(manager, meetingID, exceptSessionID);
    if (participantCount + reservedCount >= capacity) throw new ServiceError('room_full', 'The room is full.');
  }

  /** The room as it is and stays until the transaction ends; CONFLICT, `room_ended`, when it is over. */
  async lockRunning(manager: EntityManager, scope: RoomScope, meetingID: string): Promise<Room> {
    // Its key does not change: what refers to the room may be written meanwhile.
    const lock = { mode: 'for_no_key_update' as const };
    const room = requireRoom(await manager.findOne(Room, { where: inScope<Room>(scope, { id: meetingID }), lock }));
    return requireRunning(room, this.clock.now());
  }

  private read(manager: EntityManager, meetingIDs: readonly string[], exceptSessionID?: string): Promise<Occupancy[]> {
    return manager.query<Occupancy[]>(occupancyStatement, [meetingIDs, exceptSessionID ?? null]);
  }
}
