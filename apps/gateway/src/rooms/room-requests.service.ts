import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { DataSource } from 'typeorm';
import type { Caller } from '../auth/caller.js';
import { requireRoleWithin } from '../auth/room-bounds.js';
import type { RoomScope } from '../auth/room-scope.js';
import { settingsScope } from '../auth/settings-scope.js';
import { BalancesService } from '../balance/balances.service.js';
import { EventSettingsService } from '../event-settings/event-settings.service.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import { newID } from '../ids/new-id.js';
import { RecordingSettingsService } from '../recording-settings/recording-settings.service.js';
import { RoomEndingService } from '../room-ending/room-ending.service.js';
import { CLOCK } from '../runtime.module.js';
import { changeRoom } from './change-room.js';
import type { CreateRoomDto } from './dto/create-room.dto.js';
import type { JoinRoomDto } from './dto/join-room.dto.js';
import type { UpdateRoomDto } from './dto/update-room.dto.js';
import { JoinTicketsService, type JoinTicket } from './join-tickets.service.js';
import { makeRoom } from './make-room.js';
import { presentRoom, type PresentedRoom } from './present-room.js';
import { RoomJoining, type Joined } from './room-joining.service.js';
import { RoomPlaces } from './room-places.service.js';
import { Room } from './room.entity.js';
import { RoomsService, type RoomFilter } from './rooms.service.js';
import { SecureCodes, type Joiner } from './secure-codes.service.js';

/** What callers ask of rooms. */
@Injectable()
export class RoomRequestsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly rooms: RoomsService,
    private readonly places: RoomPlaces,
    private readonly joining: RoomJoining,
    private readonly ending: RoomEndingService,
    private readonly balances: BalancesService,
    private readonly eventSettings: EventSettingsService,
    private readonly recordingSettings: RecordingSettingsService,
    private readonly joinTickets: JoinTicketsService,
    private readonly codes: SecureCodes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async create(caller: Caller, dto: CreateRoomDto): Promise<{ room: PresentedRoom; join: JoinTicket }> {
    requireRoleWithin(caller, 'host');
    await this.balances.requireMeetingTime(caller.accountID, caller.keyType);
    const settings = await this.eventSettings.inForce(settingsScope(caller), dto.eventType ?? undefined);
    const recordingOptions = dto.recordOnStart ? await this.recordingSettings.inForce(settingsScope(caller)) : null;
    const secureCodeHash = dto.secureCode ? await this.codes.hash(dto.secureCode) : null;
    const creatorID = newID('part');
    const now = new Date(this.clock.now());
    const made = makeRoom(caller, dto, { settings, recordingOptions, secureCodeHash, creatorID, now });
    const join = await this.joinTickets.issue(made, { id: creatorID, role: 'host' });
    await this.rooms.insert(made);
    return { room: presentRoom(made, { participantCount: 0, reservedCount: 1, externalSessionCount: 0 }), join };
  }

  async join(joiner: Joiner, dto: JoinRoomDto): Promise<Joined> {
    const room = await this.rooms.requireRunning(joiner.caller, dto.meetingID);
    await this.balances.requireMeetingTime(room.accountID, room.keyType);
    return this.joining.join(room, dto, joiner);
  }

  async get(scope: RoomScope, meetingID: string): Promise<PresentedRoom> {
    const room = await this.rooms.find(scope, meetingID);
    const countOf = await this.places.count([meetingID]);
    return presentRoom(room, countOf(meetingID));
  }

  async list(scope: RoomScope, filter: RoomFilter, page: Page): Promise<Listed<PresentedRoom>> {
    const { items, total } = await this.rooms.list(scope, filter, page);
    const countOf = await this.places.count(items.map(room => room.id));
    return { items: items.map(room => presentRoom(room, countOf(room.id))), total };
  }

  /** Nobody comes in while the room changes. */
  async update(scope: RoomScope, dto: UpdateRoomDto): Promise<PresentedRoom> {
    return this.dataSource.transaction(async manager => {
      const room = await this.places.lockRunning(manager, scope, dto.meetingID);
      const counts = await this.places.countLocked(manager, room.id);
      const changes = changeRoom(room, dto, counts.participantCount + counts.reservedCount, new Date(this.clock.now()));
      if (Object.keys(changes).length > 0) await manager.update(Room, room.id, changes);
      return presentRoom({ ...room, ...changes }, counts);
    });
  }

  /** Ending an ended room changes nothing. */
  async end(scope: RoomScope, meetingID: string): Promise<PresentedRoom> {
    const room = await this.rooms.find(scope, meetingID);
    await this.ending.end(room, 'requested');
    return this.get(scope, meetingID);
  }
}
