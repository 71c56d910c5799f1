import { endReasons, externalSessionTransitions, healthCodes, trackStates } from '@rtms/contracts';
import { z } from 'zod';
import { identifier, oneOfKeys, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import { endNote } from '../media/end-media.dto.js';
import { mediaKinds } from '../media/media-kinds.decorator.js';
import type { IssuedToken } from '../signing-keys/media-tokens.service.js';
import { joinTicketSchema, type JoinTicket } from '../rooms/join-tickets.service.js';
import { ingestProtocols } from './dto/create-external-session.dto.js';
import type { ExternalSession } from './external-session.entity.js';

/** What stands beside the row: where to publish, and a token when one was just issued. */
export interface IngestAccess {
  /** Base address of the node that has the session; undefined while none has. */
  publicUrl: string | undefined;
  issued?: IssuedToken;
  /** In place of address and token, for a publisher that comes over the room socket. */
  join?: JoinTicket;
}

const trackSchema = z.object({
  trackID: z.string(),
  kind: z.enum(mediaKinds),
  codec: z.string(),
  state: z.enum(trackStates),
});

const ingestSchema = z.object({
  protocol: z.enum(ingestProtocols),
  tracks: z.array(z.enum(mediaKinds)),
  /** Of `whip`. */
  url: z.string().nullable().optional(),
  token: z.string().optional(),
  tokenExpiresAt: time.optional(),
  /** Of `service-webrtc`. */
  join: joinTicketSchema.optional(),
});

export const externalSessionSchema = z
  .object({
    sessionID: identifier('ext'),
    meetingID: identifier('room'),
    participantID: identifier('part'),
    displayName: z.string(),
    state: oneOfKeys(externalSessionTransitions),
    ingest: ingestSchema,
    tracks: z.array(trackSchema),
    health: z.array(z.enum(healthCodes)),
    keyframeIntervalSeconds: z.number().min(0).nullable(),
    createdAt: time,
    activatedAt: time.nullable(),
    endedAt: time.nullable(),
    endReason: z.enum(endReasons).nullable(),
    reason: endNote,
  })
  .meta({ id: 'ExternalSession' });
export type PresentedExternalSession = z.infer<typeof externalSessionSchema>;

export function presentExternalSession(
  row: ExternalSession,
  { publicUrl, issued, join }: IngestAccess,
): PresentedExternalSession {
  return {
    sessionID: row.id,
    meetingID: row.meetingID,
    participantID: row.participantID,
    displayName: row.displayName,
    state: row.state,
    ingest: {
      protocol: row.protocol,
      tracks: row.requestedTracks,
      ...(row.protocol === 'whip' && { url: publicUrl === undefined ? null : `${publicUrl}/whip/${row.id}` }),
      ...(issued && { token: issued.token, tokenExpiresAt: presentTime(issued.expiresAt) }),
      ...(join && { join }),
    },
    tracks: row.tracks,
    health: row.health,
    keyframeIntervalSeconds: row.keyframeIntervalSeconds,
    createdAt: presentTime(row.createdAt),
    activatedAt: presentTime(row.activatedAt),
    endedAt: presentTime(row.endedAt),
    endReason: row.endReason,
    reason: row.reason,
  };
}
