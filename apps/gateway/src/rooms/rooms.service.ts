import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError, type EventType, type RoomState } from '@rtms/contracts';
import { Repository, type FindOptionsWhere } from 'typeorm';
import { AccountQuotas } from '../account-limits/account-quotas.service.js';
import { inScope, type RoomScope } from '../auth/room-scope.js';
import { isUniqueViolation } from '../database/database-errors.js';
import { listRows } from '../database/list-rows.js';
import { insertRow } from '../database/plain-rows.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import { CLOCK } from '../runtime.module.js';
import { requireRoom, requireRunning } from './require-running.js';
import { Room } from './room.entity.js';

export interface RoomFilter {
  state?: RoomState | undefined;
  eventType?: EventType | undefined;
  roomName?: string | undefined;
}

const activeRooms = `SELECT count(*)::int AS used FROM rooms WHERE account_id = $1 AND state = 'active'`;

@Injectable()
export class RoomsService {
  constructor(
    @InjectRepository(Room) private readonly rooms: Repository<Room>,
    private readonly quotas: AccountQuotas,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** FORBIDDEN, `limit_reached`, when the account has as many active rooms as it may. */
  async insert(room: Room): Promise<Room> {
    const { accountID } = room;
    const active = { limit: 'activeRooms' as const, statement: activeRooms, parameters: [accountID] };
    await this.quotas
      .add(accountID, [active], manager => insertRow(manager.withRepository(this.rooms), room))
      .catch((error: unknown) => {
        throw isUniqueViolation(error, 'rooms_active_name') ? nameTaken() : error;
      });
    return room;
  }

  /** NOT_FOUND for an unknown room and for one out of the scope alike. */
  async find(scope: RoomScope, meetingID: string): Promise<Room> {
    return requireRoom(await this.rooms.findOneBy(inScope<Room>(scope, { id: meetingID })));
  }

  /** As `find`; CONFLICT, `room_ended`, when it has ended or its time is over. */
  async requireRunning(scope: RoomScope, meetingID: string): Promise<Room> {
    return requireRunning(await this.find(scope, meetingID), this.clock.now());
  }

  /** Newest first. */
  list(scope: RoomScope, filter: RoomFilter, page: Page): Promise<Listed<Room>> {
    return listRows(this.rooms, inScope(scope, filter as FindOptionsWhere<Room>), page);
  }
}

function nameTaken(): ServiceError {
  return new ServiceError('name_taken', 'Another active room has this name. Choose another name or end that room.');
}
