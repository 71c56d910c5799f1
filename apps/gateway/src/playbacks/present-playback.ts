import { presentTime } from '../http/present.js';
import type { IssuedToken } from '../signing-keys/media-tokens.service.js';
import type { Playback } from './playback.entity.js';

/** What stands beside the row: where to watch, and a token when one was just issued. */
export interface PlaybackAccess {
  /** Base address of the node that has the playback; undefined while none has. */
  publicUrl: string | undefined;
  issued?: IssuedToken;
}

export function presentPlayback(row: Playback, { publicUrl, issued }: PlaybackAccess) {
  return {
    playbackID: row.id,
    meetingID: row.meetingID,
    sourceSessionID: row.sourceSessionID,
    tracks: row.tracks,
    state: row.state,
    endpoint: publicUrl === undefined ? null : `${publicUrl}/whep/${row.id}`,
    ...(issued && { token: issued.token, tokenExpiresAt: presentTime(issued.expiresAt) }),
    payloadMatching: row.payloadMatching,
    payloadProfile: row.payloadProfile,
    viewerCount: row.viewerCount,
    createdAt: presentTime(row.createdAt),
    activatedAt: presentTime(row.activatedAt),
    endedAt: presentTime(row.endedAt),
    endReason: row.endReason,
  };
}

export type PresentedPlayback = ReturnType<typeof presentPlayback>;
