import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import { RoomEndingService } from '../room-ending/room-ending.service.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import type { CreateRoomDto } from './dto/create-room.dto.js';
import { JoinTicketsService, type JoinTicket } from './join-tickets.service.js';
import { makeRoom } from './make-room.js';
import { presentRoom, type PresentedRoom } from './present-room.js';
import type { Room } from './room.entity.js';
import { RoomsService, type RoomFilter } from './rooms.service.js';

/** What callers ask of rooms. */
@Injectable()
export class RoomRequestsService {
  constructor(
    private readonly rooms: RoomsService,
    private readonly ending: RoomEndingService,
    private readonly joinTickets: JoinTicketsService,
    private readonly hasher: KeyedHasher,
  ) {}

  async create(caller: Caller, dto: CreateRoomDto): Promise<{ room: PresentedRoom; join: JoinTicket }> {
    const secureCodeHash = dto.secureCode ? await this.hasher.hash('secure-code-hash', dto.secureCode) : null;
    const made = makeRoom(caller, dto, secureCodeHash, new Date());
    const join = await this.joinTickets.issue(made, 'host');
    await this.rooms.insert(made);
    return { room: presentRoom(made, { participantCount: 0, externalSessionCount: 0 }), join };
  }

  async get(accountID: string, meetingID: string): Promise<PresentedRoom> {
    return this.present(await this.rooms.find(accountID, meetingID));
  }

  async list(accountID: string, filter: RoomFilter, page: Page): Promise<Listed<PresentedRoom>> {
    const { items, total } = await this.rooms.list(accountID, filter, page);
    const counts = await this.rooms.countExternalSessions(items.map(room => room.id));
    const present = (room: Room) =>
      presentRoom(room, { participantCount: 0, externalSessionCount: counts.get(room.id) ?? 0 });
    return { items: items.map(present), total };
  }

  /** Ending an ended room changes nothing. */
  async end(accountID: string, meetingID: string): Promise<PresentedRoom> {
    const room = await this.rooms.find(accountID, meetingID);
    await this.ending.end(room, 'requested');
    return this.get(accountID, meetingID);
  }

  private async present(room: Room): Promise<PresentedRoom> {
    const counts = await this.rooms.countExternalSessions([room.id]);
    return presentRoom(room, { participantCount: 0, externalSessionCount: counts.get(room.id) ?? 0 });
  }
}
