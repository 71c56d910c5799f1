import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError, type ParticipantRole } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { requireRoleWithin, type RoomBounds } from '../../platform/auth/room-bounds.js';
import { wholeAccount } from '../../platform/auth/room-scope.js';
import { newID } from '../../platform/database/new-id.js';
import { Participant } from '../records/participant.entity.js';
import { ParticipantsService, returnedColumns, type NewParticipant } from '../records/participants.service.js';
import { presentParticipant, type PresentedParticipant, type JoinRoomDto } from './room.dto.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { JoinTicketsService, type JoinTicket } from './join-tickets.service.js';
import { RoomPlacesService } from '../records/room-places.service.js';
import type { Room } from '../records/room.entity.js';
import { SecureCodesService, type Joiner } from './secure-codes.service.js';

export interface Joined {
  participant: PresentedParticipant;
  join: JoinTicket;
}

/** The place of a ticket is reserved for this long. */
const ticketPlaceMs = 60_000;

/** Issues tickets to participants who join a room. */
@Injectable()
export class RoomJoiningService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly places: RoomPlacesService,
    private readonly participants: ParticipantsService,
    private readonly joinTickets: JoinTicketsService,
    private readonly codes: SecureCodesService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The caller found the room running. Throws CONFLICT when the room ends meanwhile or is full. */
  async join(room: Room, dto: JoinRoomDto, joiner: Joiner): Promise<Joined> {
    const { participantID, ticket } = dto;
    if (participantID && ticket) return this.comeBack(room, participantID, ticket, joiner.caller);
    if (participantID || ticket) throw new ServiceError('invalid_request', 'Send participantID and ticket together.');
    const role = dto.role ?? 'participant';
    requireRoleWithin(joiner.caller, role);
    await this.codes.require(room, dto.secureCode ?? undefined, joiner);
    requireRole(room, role);
    const { accountID, id: meetingID } = room;
    const who = { id: newID('part'), accountID, meetingID, userName: dto.userName, role };
    const join = await this.joinTickets.issue(room, who);
    return { participant: presentParticipant(await this.takePlace(who)), join };
  }

  private takePlace(who: NewParticipant) {
    return this.dataSource.transaction(async manager => {
      await this.places.take(manager, who);
      return this.participants.join(manager, who, ...this.waitingTime());
    });
  }

  /** The time of joining, and the end of the ticket's reservation. */
  private waitingTime(): [Date, Date] {
    const now = this.clock.now();
    return [new Date(now), new Date(now + ticketPlaceMs)];
  }

  /** The former ticket proves that its holder was admitted. */
  private async comeBack(room: Room, participantID: string, ticket: string, caller: RoomBounds): Promise<Joined> {
    const { resourceID, meetingID, role } = await this.joinTickets.read(ticket);
    if (resourceID !== participantID || meetingID !== room.id) {
      throw new ServiceError('invalid_request', 'ticket must belong to this participant and this room.');
    }
    requireRoleWithin(caller, role);
    const participant = await this.dataSource.transaction(async manager => {
      const { accountID, hostName: userName } = await this.places.lockRunning(
        manager,
        wholeAccount(room.accountID),
        meetingID,
      );
      const row = await manager.findOneBy(Participant, { id: participantID, meetingID });
      if (row) return this.keepPlace(manager, room, row);
      if (participantID !== room.creatorID) {
        throw new ServiceError('not_found', 'There is no such participant in this room.');
      }
      // Only the creator has no row before the first connection.
      const who = { id: participantID, accountID, meetingID, userName, role };
      return this.participants.join(manager, who, ...this.waitingTime());
    });
    return { participant: presentParticipant(participant), join: await this.joinTickets.issue(room, participant) };
  }

  private async keepPlace(manager: EntityManager, { creatorID }: Room, row: Participant): Promise<Participant> {
    if (row.state === 'joined' && row.isConnected) return row;
    const [now, until] = this.waitingTime();
    // A longer grace time of a lost connection stays.
    const graceUntil = row.graceUntil && row.graceUntil > until ? row.graceUntil : until;
    if (row.state === 'left' && row.leaveReason !== 'participant_lost') {
      throw new ServiceError('participant_left', 'This participant has left the room. Join without participantID.');
    }
    if (row.state === 'left' && row.id !== creatorID) await this.places.take(manager, row);
    const changes = row.state === 'left' ? returnedColumns(now, graceUntil) : { graceUntil };
    await manager.update(Participant, row.id, changes);
    return { ...row, ...changes };
  }
}

function requireRole({ settings }: Room, role: ParticipantRole): void {
  if (role !== 'cohost' || settings.addCoHost) return;
  throw new ServiceError('role_not_allowed', 'The event settings of this room disallow co-hosts.');
}
