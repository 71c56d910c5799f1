import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError, type EventType, type RoomState } from '@rtms/contracts';
import { DataSource, In, Repository, type FindOptionsWhere } from 'typeorm';
import { BalancesRepository, requireMeetingTime } from '../../accounts/balance/balances.repository.js';
import {
  AccountQuotasService,
  requireBelow,
  type JointAdditions,
} from '../../accounts/limits/account-quotas.service.js';
import type { Caller } from '../../platform/auth/caller.js';
import { requireRoleWithin } from '../../platform/auth/room-bounds.js';
import { inScope, type RoomScope } from '../../platform/auth/room-scope.js';
import { settingsScope } from '../../platform/auth/auth.decorators.js';
import { isUniqueViolation } from '../../platform/database/database-errors.js';
import { listRows, type Listed, type Page } from '../../platform/rows/list-rows.js';
import { newID } from '../../platform/database/new-id.js';
import { insertRow } from '../../platform/rows/plain-rows.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { EventSettingsService } from '../../settings/event-settings/event-settings.service.js';
import { RecordingSettingsService } from '../../settings/recording-settings/recording-settings.service.js';
import { RoomEndingService } from '../ending/room-ending.service.js';
import { requireRoom, requireRunning, RoomPlacesService } from '../records/room-places.service.js';
import { Room } from '../records/room.entity.js';
import { RoomsRepository } from '../records/rooms.repository.js';
import {
  type CreateRoomDto,
  type JoinRoomDto,
  type UpdateRoomDto,
  presentRoom,
  type PresentedRoom,
} from './room.dto.js';
import { JoinTicketsService, type JoinTicket } from './join-tickets.service.js';
import { changeRoom, makeRoom } from './make-room.js';
import { RoomJoiningService, type Joined } from './room-joining.service.js';
import { SecureCodesService, type Joiner } from './secure-codes.service.js';

export type { Room } from '../records/room.entity.js';

interface RoomFilter {
  state?: RoomState | undefined;
  eventType?: EventType | undefined;
  roomName?: string | undefined;
}

/** Creates, joins, finds, lists, updates and ends rooms. */
@Injectable()
export class RoomsService {
  private readonly newRooms: JointAdditions<Room>;

  constructor(
    @InjectRepository(Room) private readonly rooms: Repository<Room>,
    private readonly dataSource: DataSource,
    private readonly states: RoomsRepository,
    private readonly places: RoomPlacesService,
    private readonly joining: RoomJoiningService,
    private readonly ending: RoomEndingService,
    private readonly balances: BalancesRepository,
    quotas: AccountQuotasService,
    private readonly eventSettings: EventSettingsService,
    private readonly recordingSettings: RecordingSettingsService,
    private readonly joinTickets: JoinTicketsService,
    private readonly codes: SecureCodesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.newRooms = this.newRoomsOf(quotas);
  }

  async create(caller: Caller, dto: CreateRoomDto): Promise<{ room: PresentedRoom; join: JoinTicket }> {
    requireRoleWithin(caller, 'host');
    await this.balances.requireMeetingTime(caller.accountID, caller.keyType);
    const settings = await this.eventSettings.inForce(settingsScope(caller), dto.eventType ?? undefined);
    const recordingOptions = dto.recordOnStart ? await this.recordingSettings.inForce(settingsScope(caller)) : null;
    const secureCodeHash = dto.secureCode ? await this.codes.hash(dto.secureCode) : null;
    const creatorID = newID('part');
    const now = new Date(this.clock.now());
    const room = makeRoom(caller, dto, { settings, recordingOptions, secureCodeHash, creatorID, now });
    const join = await this.joinTickets.issue(room, { id: creatorID, role: 'host' });
    await this.insert(room);
    return { room: presentRoom(room, { participantCount: 0, reservedCount: 1, externalSessionCount: 0 }), join };
  }

  async join(joiner: Joiner, dto: JoinRoomDto): Promise<Joined> {
    return this.joining.join(await this.requireUsable(joiner.caller, dto.meetingID), dto, joiner);
  }

  async get(scope: RoomScope, meetingID: string): Promise<PresentedRoom> {
    const room = await this.find(scope, meetingID);
    const countOf = await this.states.count([meetingID]);
    return presentRoom(room, countOf(meetingID));
  }

  /** Newest first. */
  async list(scope: RoomScope, filter: RoomFilter, page: Page): Promise<Listed<PresentedRoom>> {
    const where = inScope(scope, filter as FindOptionsWhere<Room>);
    const { items, total } = await listRows(this.rooms, where, page);
    const countOf = await this.states.count(items.map(room => room.id));
    return { items: items.map(room => presentRoom(room, countOf(room.id))), total };
  }

  /** Active rooms of any account, or of one account, newest first. */
  async listActive(accountID: string | undefined, { startIndex, pageSize }: Page) {
    const where: FindOptionsWhere<Room> = { state: 'active', ...(accountID !== undefined && { accountID }) };
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    const [rooms, total] = await this.rooms.findAndCount({ where, order, skip: startIndex, take: pageSize });
    const countOf = await this.states.count(rooms.map(room => room.id));
    return { items: rooms.map(room => ({ room, counts: countOf(room.id) })), total };
  }

  /** The room is locked, so nobody joins while its capacity changes. */
  async update(scope: RoomScope, dto: UpdateRoomDto): Promise<PresentedRoom> {
    return this.dataSource.transaction(async manager => {
      const room = await this.places.lockRunning(manager, scope, dto.meetingID);
      const counts = await this.places.countLocked(manager, room.id);
      const changes = changeRoom(room, dto, counts.participantCount + counts.reservedCount, new Date(this.clock.now()));
      if (Object.keys(changes).length > 0) await manager.update(Room, room.id, changes);
      return presentRoom({ ...room, ...changes }, counts);
    });
  }

  /** Idempotent: an ended room stays as it is. */
  async end(scope: RoomScope, meetingID: string): Promise<PresentedRoom> {
    const room = await this.find(scope, meetingID);
    await this.ending.end(room, 'requested');
    return this.get(scope, meetingID);
  }

  /** Throws NOT_FOUND, alike for an unknown room and for a room outside the scope. */
  async find(scope: RoomScope, meetingID: string): Promise<Room> {
    return requireRoom(await this.states.find(scope, meetingID));
  }

  /** As `find`. Throws CONFLICT, `room_ended`, when the room has ended or its time is over. */
  async requireRunning(scope: RoomScope, meetingID: string): Promise<Room> {
    return requireRunning(await this.find(scope, meetingID), this.clock.now());
  }

  /** As `requireRunning`. Throws FORBIDDEN, `balance_exhausted`, when no meeting minutes are left. */
  async requireUsable(scope: RoomScope, meetingID: string): Promise<Room> {
    const reads = [this.requireRunning(scope, meetingID), this.balances.read(scope.accountID)] as const;
    // Not one after the other: requests that ask at the same time share the balance.
    await Promise.allSettled(reads);
    const room = await reads[0];
    requireMeetingTime((await reads[1])[room.keyType], room.keyType);
    return room;
  }

  /** A room of any account. */
  findByID(meetingID: string): Promise<Room | null> {
    return this.rooms.findOneBy({ id: meetingID });
  }

  /** Rooms of any account, in any order, without those that do not exist. */
  findByIDs(meetingIDs: readonly string[]): Promise<Room[]> {
    return meetingIDs.length === 0 ? Promise.resolve([]) : this.rooms.findBy({ id: In([...meetingIDs]) });
  }

  /** Throws FORBIDDEN, `limit_reached`, when the account has its maximum of active rooms. */
  private async insert(room: Room): Promise<void> {
    await this.newRooms.add(room.accountID, room).catch((error: unknown) => {
      throw isUniqueViolation(error, 'rooms_active_name') ? nameTaken() : error;
    });
  }

  private newRoomsOf(quotas: AccountQuotasService): JointAdditions<Room> {
    return quotas.together<Room, { active: number }>({
      read: async (manager, accountID) => ({ active: await this.states.countRunning(manager, accountID) }),
      accept: (_, facts, limits) => {
        requireBelow(limits, 'activeRooms', facts.active);
        facts.active += 1;
        return true;
      },
      insert: (manager, room) => insertRow(manager.getRepository(Room), room),
    });
  }
}

function nameTaken(): ServiceError {
  return new ServiceError('name_taken', 'Another active room has this name. Choose another name or end that room.');
}
