import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError, type ParticipantRole } from '@rtms/contracts';
import { DataSource } from 'typeorm';
import { newID } from '../ids/new-id.js';
import { ParticipantsService, type NewParticipant } from '../participants/participants.service.js';
import { presentParticipant, type PresentedParticipant } from '../participants/present-participant.js';
import { CLOCK } from '../runtime.module.js';
import { KeyedHasher } from '../secrets/keyed-hasher.js';
import { sameHash } from '../secrets/keyed-hash.js';
import { MEDIA_SETTINGS, type MediaSettings } from '../settings/media-settings.js';
import type { JoinRoomDto } from './dto/join-room.dto.js';
import { JoinTicketsService, type JoinTicket } from './join-tickets.service.js';
import { RoomPlaces } from './room-places.service.js';
import type { Room } from './room.entity.js';

export interface Joined {
  participant: PresentedParticipant;
  join: JoinTicket;
}

/** Lets people into rooms. */
@Injectable()
export class RoomJoining {
  constructor(
    private readonly dataSource: DataSource,
    private readonly places: RoomPlaces,
    private readonly participants: ParticipantsService,
    private readonly joinTickets: JoinTicketsService,
    private readonly hasher: KeyedHasher,
    @Inject(MEDIA_SETTINGS) private readonly settings: MediaSettings,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The room runs. CONFLICT when it ends meanwhile, or has no place left. */
  async join(room: Room, dto: JoinRoomDto): Promise<Joined> {
    const role = dto.role ?? 'participant';
    await this.requireSecureCode(room, dto.secureCode ?? undefined);
    requireRole(room, role);
    const { accountID, id: meetingID } = room;
    const who = { id: newID('part'), accountID, meetingID, userName: dto.userName, role };
    const join = await this.joinTickets.issue(room, who);
    return { participant: presentParticipant(await this.takePlace(who)), join };
  }

  private takePlace(who: NewParticipant) {
    return this.dataSource.transaction(async manager => {
      await this.places.take(manager, who);
      const now = new Date(this.clock.now());
      return this.participants.join(manager, who, now, this.latestArrival(now));
    });
  }

  /** The token is good that long, and somebody on their way gets the grace time besides. */
  private latestArrival(now: Date): Date {
    return new Date(now.getTime() + this.settings.tokenTtlSeconds * 1000 + this.settings.graceMs);
  }

  private async requireSecureCode({ secureCodeHash }: Room, secureCode: string | undefined): Promise<void> {
    if (secureCodeHash === null) return;
    const isRight =
      secureCode !== undefined && sameHash(secureCodeHash, await this.hasher.hash('secure-code-hash', secureCode));
    if (!isRight) throw new ServiceError('wrong_secure_code', 'The room needs its secureCode, and this is not it.');
  }
}

function requireRole({ settings }: Room, role: ParticipantRole): void {
  if (role !== 'cohost' || settings.addCoHost) return;
  throw new ServiceError('role_not_allowed', 'The event settings of this room allow no co-hosts.');
}
