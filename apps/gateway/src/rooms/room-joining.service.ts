import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError, type ParticipantRole } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { requireRoleWithin, type RoomBounds } from '../auth/room-bounds.js';
import { wholeAccount } from '../auth/room-scope.js';
import { newID } from '../ids/new-id.js';
import { Participant } from '../participants/participant.entity.js';
import { ParticipantsService, returnedColumns, type NewParticipant } from '../participants/participants.service.js';
import { presentParticipant, type PresentedParticipant } from '../participants/present-participant.js';
import { CLOCK } from '../runtime.module.js';
import type { JoinRoomDto } from './dto/join-room.dto.js';
import { JoinTicketsService, type JoinTicket } from './join-tickets.service.js';
import { RoomPlaces } from './room-places.service.js';
import type { Room } from './room.entity.js';
import { SecureCodes, type Joiner } from './secure-codes.service.js';

export interface Joined {
  participant: PresentedParticipant;
  join: JoinTicket;
}

/** A place is kept so long for somebody who does not connect. */
const ticketPlaceMs = 60_000;

/** Lets people into rooms. */
@Injectable()
export class RoomJoining {
  constructor(
    private readonly dataSource: DataSource,
    private readonly places: RoomPlaces,
    private readonly participants: ParticipantsService,
    private readonly joinTickets: JoinTicketsService,
    private readonly codes: SecureCodes,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The room runs. CONFLICT when it ends meanwhile, or has no place left. */
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

  /** From now, until the place of a ticket that nobody uses is free again. */
  private waitingTime(): [Date, Date] {
    const now = this.clock.now();
    return [new Date(now), new Date(now + ticketPlaceMs)];
  }

  /** The former ticket proves that its holder was let in. */
  private async comeBack(room: Room, participantID: string, ticket: string, caller: RoomBounds): Promise<Joined> {
    const { resourceID, meetingID, role } = await this.joinTickets.read(ticket);
    if (resourceID !== participantID || meetingID !== room.id) {
      throw new ServiceError('invalid_request', 'ticket must be one of this participant in this room.');
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
      // The creator, who has not connected yet: others have a row from the start.
      const who = { id: participantID, accountID, meetingID, userName, role };
      return this.participants.join(manager, who, ...this.waitingTime());
    });
    return { participant: presentParticipant(participant), join: await this.joinTickets.issue(room, participant) };
  }

  private async keepPlace(manager: EntityManager, { creatorID }: Room, row: Participant): Promise<Participant> {
    if (row.state === 'joined' && row.isConnected) return row;
    const [now, until] = this.waitingTime();
    // The time that a lost connection has left is never made shorter.
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
  throw new ServiceError('role_not_allowed', 'The event settings of this room allow no co-hosts.');
}
