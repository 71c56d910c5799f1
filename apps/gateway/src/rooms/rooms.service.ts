import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ServiceError, type RoomState } from '@rtms/contracts';
import { Repository, type FindOptionsWhere } from 'typeorm';
import { isUniqueViolation } from '../database/database-errors.js';
import { listRows } from '../database/list-rows.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import type { EventType } from '../event-settings/event-options.js';
import { Room } from './room.entity.js';

export interface RoomFilter {
  state?: RoomState | undefined;
  eventType?: EventType | undefined;
  roomName?: string | undefined;
}

@Injectable()
export class RoomsService {
  constructor(@InjectRepository(Room) private readonly rooms: Repository<Room>) {}

  async insert(room: Room): Promise<Room> {
    await this.rooms.insert(room).catch((error: unknown) => {
      throw isUniqueViolation(error, 'rooms_active_name') ? nameTaken() : error;
    });
    return room;
  }

  /** NOT_FOUND for an unknown room and for one of another account alike. */
  async find(accountID: string, meetingID: string): Promise<Room> {
    const room = await this.rooms.findOneBy({ id: meetingID, accountID });
    if (!room) throw new ServiceError('not_found', 'There is no such room.');
    return room;
  }

  /** As `find`; CONFLICT, `room_ended`, when it has ended or its time is over. */
  async requireRunning(accountID: string, meetingID: string): Promise<Room> {
    const room = await this.find(accountID, meetingID);
    if (room.state === 'ended' || room.expiresAt.getTime() <= Date.now()) {
      throw new ServiceError('room_ended', 'The room has ended.');
    }
    return room;
  }

  /** Newest first. */
  list(accountID: string, filter: RoomFilter, page: Page): Promise<Listed<Room>> {
    return listRows(this.rooms, { accountID, ...(filter as FindOptionsWhere<Room>) }, page);
  }

  /** How many external sessions each room has that have not ended; rooms without one are left out. */
  async countExternalSessions(meetingIDs: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (meetingIDs.length === 0) return new Map();
    // A plain count: asking the sessions' own service would tie the two modules in a knot.
    const rows = await this.rooms.query<{ meeting_id: string; count: number }[]>(
      `SELECT meeting_id, count(*)::int AS count FROM external_sessions
       WHERE meeting_id = ANY($1) AND state NOT IN ('ended', 'failed') GROUP BY meeting_id`,
      [meetingIDs],
    );
    return new Map(rows.map(row => [row.meeting_id, row.count]));
  }
}

function nameTaken(): ServiceError {
  return new ServiceError('name_taken', 'Another active room has this name. Choose another name or end that room.');
}
