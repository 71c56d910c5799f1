import { broadcastTransitions, endReasons } from '@rtms/contracts';
import { z } from 'zod';
import { count, identifier, oneOfKeys, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import { endNote } from '../media/end-media.dto.js';
import type { IssuedToken } from '../signing-keys/media-tokens.service.js';
import type { Broadcast } from './broadcast.entity.js';

/** What stands beside the row while it can be played. */
export interface BroadcastAccess {
  /** Base address of the node that has the broadcast. */
  publicUrl: string;
  entry: IssuedToken;
}

const renditionSchema = z.object({
  name: z.string(),
  width: count,
  height: count,
  frameRate: z.number().min(0),
  videoBitrate: count,
  audioBitrate: count,
  codecs: z.string(),
});

export const broadcastSchema = z
  .object({
    broadcastID: identifier('bcast'),
    meetingID: identifier('room'),
    sourceSessionID: identifier('ext').nullable(),
    sourceParticipantID: identifier('part').nullable(),
    state: oneOfKeys(broadcastTransitions),
    renditions: z.array(renditionSchema),
    playbackUrl: z.string().nullable(),
    playbackTokenExpiresAt: time.nullable(),
    createdAt: time,
    activatedAt: time.nullable(),
    endedAt: time.nullable(),
    endReason: z.enum(endReasons).nullable(),
    reason: endNote,
  })
  .meta({ id: 'Broadcast' });
export type PresentedBroadcast = z.infer<typeof broadcastSchema>;

export function presentBroadcast(row: Broadcast, access: BroadcastAccess | undefined): PresentedBroadcast {
  return {
    broadcastID: row.id,
    meetingID: row.meetingID,
    sourceSessionID: row.sourceSessionID,
    sourceParticipantID: row.sourceParticipantID,
    state: row.state,
    renditions: row.renditions,
    playbackUrl: access ? playbackUrl(row, access) : null,
    playbackTokenExpiresAt: access ? presentTime(access.entry.expiresAt) : null,
    createdAt: presentTime(row.createdAt),
    activatedAt: presentTime(row.activatedAt),
    endedAt: presentTime(row.endedAt),
    endReason: row.endReason,
    reason: row.reason,
  };
}

function playbackUrl({ id }: Broadcast, { publicUrl, entry }: BroadcastAccess): string {
  return `${publicUrl}/hls/${id}/index.m3u8?token=${entry.token}`;
}
