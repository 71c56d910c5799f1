import { Injectable } from '@nestjs/common';
import { ServiceError, type JoinToken, type RoomSnapshot } from '@rtms/contracts';
import { checkValue } from '@rtms/http';
import { IsNull, Not } from 'typeorm';
import { z } from 'zod';
import { SigningKeysService } from '../../accounts/signing-keys/signing-keys.service.js';
import { ChatService } from '../conversation/chat.service.js';
import { PollsService } from '../conversation/polls.service.js';
import { PresenceService } from '../life/presence.service.js';
import { presentRosterEntry, type RoomChange } from '../life/room-change.js';
import { RoomEventsRepository } from '../life/room-events.repository.js';
import { Participant } from '../records/participant.entity.js';
import { MediaCommandsRegistry, type Admission } from './room-io.js';

const authSchema = z.object({
  token: z.string().min(1).max(4096),
  after: z.int().min(0).exactOptional(),
});

/** A client that missed more events gets a snapshot instead. */
const longestReplay = 2_000;

/** Admits a socket by its join token. */
@Injectable()
export class HandshakeService {
  constructor(
    private readonly keys: SigningKeysService,
    private readonly presence: PresenceService,
    private readonly events: RoomEventsRepository,
    private readonly chat: ChatService,
    private readonly polls: PollsService,
    private readonly media: MediaCommandsRegistry,
  ) {}

  async admit(sent: unknown, connectionID: string): Promise<Admission> {
    const auth = checkValue(authSchema, sent);
    if (!auth.success) throw new ServiceError('invalid_credentials', 'Send the join token as auth.token.');
    const token = (await this.keys.verify(auth.data.token, 'join')) as JoinToken;
    if (token.resourceID.startsWith('ext_')) return this.media.commands.admitPublisher(token, connectionID);
    return this.admitMember(token, connectionID, auth.data.after);
  }

  private admitMember(token: JoinToken, connectionID: string, after: number | undefined): Promise<Admission> {
    const { meetingID, expiresAt: tokenExpiresAt } = token;
    return this.presence.connect(token, connectionID, async (change, row) => {
      const { accountID, role } = row;
      const actor = { participantID: row.id, meetingID, accountID, connectionID, role };
      return { actor, tokenExpiresAt, ...(await this.welcome(change, row, after)) };
    });
  }

  private async welcome(change: RoomChange, row: Participant, after: number | undefined) {
    const sequence = (await this.events.lastSequence(change.manager, change.room.id)) + change.events.length;
    const self = { participantID: row.id, role: row.role };
    if (after !== undefined && after <= sequence && sequence - after <= longestReplay)
      return { welcome: { ...self, sequence: after }, sequence: after };
    const snapshot = await this.readSnapshot(change, row);
    return { welcome: { ...self, snapshot, sequence }, sequence };
  }

  /** The room as this member sees it. */
  async readSnapshot({ manager, room }: RoomChange, viewer: Participant): Promise<RoomSnapshot> {
    const { id: meetingID } = room;
    const present = await manager.find(Participant, {
      where: { meetingID, state: 'joined', connectedAt: Not(IsNull()) },
      order: { connectedAt: 'ASC', id: 'ASC' },
    });
    return {
      meetingID,
      roster: present.map(row => presentRosterEntry(row, room)),
      chat: await this.chat.recent(manager, meetingID, viewer.id),
      polls: await this.polls.list(manager, meetingID, viewer),
    };
  }
}
