import { Injectable } from '@nestjs/common';
import { externalSessionTransitions, isFinal, ServiceError, type JoinToken } from '@rtms/contracts';
import { ExternalSession } from '../external-sessions/external-session.entity.js';
import { RoomChanges } from '../room-life/room-changes.service.js';
import { RoomEventsStore } from '../room-life/room-events.store.js';
import type { Admission } from './admission.js';

/** Lets the publisher of an external session in, by `service-webrtc`. It sees nothing of the room but itself. */
@Injectable()
export class SessionHandshake {
  constructor(
    private readonly changes: RoomChanges,
    private readonly events: RoomEventsStore,
  ) {}

  admit(token: JoinToken, connectionID: string): Promise<Admission> {
    const { meetingID, resourceID: id, expiresAt: tokenExpiresAt } = token;
    return this.changes.run(meetingID, async ({ manager, news }) => {
      const session = await manager.findOneBy(ExternalSession, { id, meetingID, protocol: 'service-webrtc' });
      if (!session || isFinal(externalSessionTransitions, session.state))
        throw new ServiceError('session_ended', 'The external session has ended.');
      const { participantID, accountID } = session;
      const role = 'participant' as const;
      const sequence = await this.events.lastSequence(manager, meetingID);
      const snapshot = { meetingID, roster: [], chat: [], polls: [] };
      news.push({ kind: 'connected', participantID, connectionID });
      return {
        actor: { participantID, meetingID, accountID, connectionID, role, sessionID: id },
        welcome: { participantID, role, snapshot, sequence },
        sequence,
        tokenExpiresAt,
      };
    });
  }
}
