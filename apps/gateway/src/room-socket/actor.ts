import type { ParticipantRole } from '@rtms/contracts';

/** For whom a connection speaks; taken from its token, never from what it sends. */
export interface Actor {
  participantID: string;
  meetingID: string;
  accountID: string;
  connectionID: string;
  /** Of the publisher of an external session: it only publishes. */
  sessionID?: string | undefined;
  /** As of the last event that changed it; services look at the participant itself. */
  role: ParticipantRole;
}
