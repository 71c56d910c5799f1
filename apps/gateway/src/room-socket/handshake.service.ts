import { Injectable } from '@nestjs/common';
import { ServiceError, type JoinToken } from '@rtms/contracts';
import { z } from 'zod';
import type { Participant } from '../participants/participant.entity.js';
import { Presence } from '../room-life/presence.service.js';
import type { RoomChange } from '../room-life/room-change.js';
import { RoomEventsStore } from '../room-life/room-events.store.js';
import { RoomSnapshots } from '../room-life/room-snapshots.service.js';
import { SigningKeysService } from '../signing-keys/signing-keys.service.js';
import type { Admission } from './admission.js';
import { SessionHandshake } from './session-handshake.service.js';

const authSchema = z.object({
  token: z.string().min(1).max(4096),
  after: z.int().min(0).exactOptional(),
});

/** A client that missed more than this gets the state as it is instead. */
const longestReplay = 2_000;

/** Lets a socket in, by its join token. */
@Injectable()
export class Handshake {
  constructor(
    private readonly keys: SigningKeysService,
    private readonly presence: Presence,
    private readonly events: RoomEventsStore,
    private readonly snapshots: RoomSnapshots,
    private readonly sessions: SessionHandshake,
  ) {}

  async admit(sent: unknown, connectionID: string): Promise<Admission> {
    const auth = authSchema.safeParse(sent);
    if (!auth.success) throw new ServiceError('invalid_credentials', 'Send the join token as auth.token.');
    const token = (await this.keys.verify(auth.data.token, 'join')) as JoinToken;
    if (token.resourceID.startsWith('ext_')) return this.sessions.admit(token, connectionID);
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
    const who = { participantID: row.id, role: row.role };
    if (after !== undefined && after <= sequence && sequence - after <= longestReplay)
      return { welcome: { ...who, sequence: after }, sequence: after };
    const snapshot = await this.snapshots.read(change, row);
    return { welcome: { ...who, snapshot, sequence }, sequence };
  }
}
