import { presentTime } from '../http/present.js';
import type { IssuedToken } from '../signing-keys/media-tokens.service.js';
import type { Broadcast } from './broadcast.entity.js';

/** What stands beside the row while it can be played. */
export interface BroadcastAccess {
  /** Base address of the node that has the broadcast. */
  publicUrl: string;
  entry: IssuedToken;
}

export function presentBroadcast(row: Broadcast, access: BroadcastAccess | undefined) {
  return {
    broadcastID: row.id,
    meetingID: row.meetingID,
    sourceSessionID: row.sourceSessionID,
    state: row.state,
    renditions: row.renditions,
    playbackUrl: access ? playbackUrl(row, access) : null,
    playbackTokenExpiresAt: access ? presentTime(access.entry.expiresAt) : null,
    createdAt: presentTime(row.createdAt),
    activatedAt: presentTime(row.activatedAt),
    endedAt: presentTime(row.endedAt),
    endReason: row.endReason,
  };
}

function playbackUrl({ id }: Broadcast, { publicUrl, entry }: BroadcastAccess): string {
  return `${publicUrl}/hls/${id}/index.m3u8?token=${entry.token}`;
}

export type PresentedBroadcast = ReturnType<typeof presentBroadcast>;
