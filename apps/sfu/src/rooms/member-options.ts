import type { Session } from './session.js';

export interface MemberOptions {
  meetingID: string;
  participantID: string;
  /** The external session that it publishes as. */
  session: Session | undefined;
}
