import { ServiceError } from '@rtms/contracts';
import type { Participant } from '../participants/participant.entity.js';

/** A connection and for whom it wants to speak. */
export interface Speaker {
  participantID: string;
  meetingID: string;
  connectionID: string;
}

/** Of the connections of a participant only the last one counts. */
export function requireCurrent(row: Participant | null | undefined, { connectionID }: Speaker): Participant {
  if (!row) throw new ServiceError('participant_left', 'This participant has left the room.');
  if (row.connectionID === connectionID) return row;
  throw new ServiceError('invalid_credentials', 'Another connection speaks for this participant now.');
}
