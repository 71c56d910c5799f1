import { endReasons, playbackTransitions } from '@rtms/contracts';
import { z } from 'zod';
import { count, identifier, oneOfKeys, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import { endNote } from '../media/end-media.dto.js';
import { mediaKinds } from '../media/media-kinds.decorator.js';
import type { IssuedToken } from '../signing-keys/media-tokens.service.js';
import { payloadMatchings } from './dto/create-playback.dto.js';
import type { Playback } from './playback.entity.js';

/** What stands beside the row: where to watch, and a token when one was just issued. */
export interface PlaybackAccess {
  /** Base address of the node that has the playback; undefined while none has. */
  publicUrl: string | undefined;
  issued?: IssuedToken;
}

const codecSchema = z.object({
  kind: z.enum(mediaKinds),
  mimeType: z.string(),
  payloadType: count,
  clockRate: count,
  channels: count.optional(),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
  rtxPayloadType: count.optional(),
});

export const playbackSchema = z
  .object({
    playbackID: identifier('play'),
    meetingID: identifier('room'),
    sourceSessionID: identifier('ext'),
    tracks: z.array(z.enum(mediaKinds)),
    state: oneOfKeys(playbackTransitions),
    endpoint: z.string().nullable(),
    token: z.string().optional(),
    tokenExpiresAt: time.optional(),
    payloadMatching: z.enum(payloadMatchings),
    payloadProfile: z.object({ codecs: z.array(codecSchema) }).nullable(),
    viewerCount: count,
    createdAt: time,
    activatedAt: time.nullable(),
    endedAt: time.nullable(),
    endReason: z.enum(endReasons).nullable(),
    reason: endNote,
  })
  .meta({ id: 'Playback' });
export type PresentedPlayback = z.infer<typeof playbackSchema>;

export function presentPlayback(row: Playback, { publicUrl, issued }: PlaybackAccess): PresentedPlayback {
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
    reason: row.reason,
  };
}
