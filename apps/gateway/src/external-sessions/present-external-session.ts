import { presentTime } from '../http/present.js';
import type { IssuedToken } from '../signing-keys/media-tokens.service.js';
import type { ExternalSession } from './external-session.entity.js';

/** What stands beside the row: where to publish, and a token when one was just issued. */
export interface IngestAccess {
  /** Base address of the node that has the session; undefined while none has. */
  publicUrl: string | undefined;
  issued?: IssuedToken;
}

export function presentExternalSession(row: ExternalSession, { publicUrl, issued }: IngestAccess) {
  return {
    sessionID: row.id,
    meetingID: row.meetingID,
    participantID: row.participantID,
    displayName: row.displayName,
    state: row.state,
    ingest: {
      protocol: row.protocol,
      tracks: row.requestedTracks,
      url: publicUrl === undefined ? null : `${publicUrl}/whip/${row.id}`,
      ...(issued && { token: issued.token, tokenExpiresAt: presentTime(issued.expiresAt) }),
    },
    tracks: row.tracks,
    health: row.health,
    keyframeIntervalSeconds: row.keyframeIntervalSeconds,
    createdAt: presentTime(row.createdAt),
    activatedAt: presentTime(row.activatedAt),
    endedAt: presentTime(row.endedAt),
    endReason: row.endReason,
  };
}

export type PresentedExternalSession = ReturnType<typeof presentExternalSession>;
