import { z } from 'zod';
import {
  encoderProtocols,
  externalSessionTransitions,
  healthCodes,
  ingestProblems,
  srtModes,
  trackStates,
  type EncoderProtocol,
  type IngestProblem,
} from '@rtms/contracts';
import { Dto, optional } from '../../platform/http/dto.js';
import { flag, oneOf, text } from '../../platform/http/fields.js';
import { ingestProtocols, type ExternalSession } from '../resources/external-session.entity.js';
import { mediaKindList, lifeFields, mediaKind } from '../resources/end-media.dto.js';
import { identifier, oneOfKeys, time } from '../../platform/http/answers.js';
import { presentFields, presentTime } from '../../platform/http/present.js';
import type { EncoderAccess, EncoderCall } from '../ingest/ingest-keys.service.js';
import { addressSecret, addressText, requireTargetOf } from '../restreams/restream.dto.js';
import type { IssuedToken } from '../../accounts/signing-keys/media-tokens.service.js';
import { joinTicketSchema, type JoinTicket } from '../../rooms/room/join-tickets.service.js';

const externalSessionFields = {
  displayName: text(1, 64).meta({ description: 'Name of the publisher.', examples: ['Stage camera'] }),
};

const ingestFields = {
  protocol: oneOf(ingestProtocols).describe('`service-webrtc` for the client SDK, the others for encoders.'),
  tracks: mediaKindList.describe('Kinds of media that the publisher may send.'),
};

const webrtcRenditions = flag.describe(
  'The service adds smaller pictures of the video for WHEP viewers on poor networks. Only with `srt`, `rtmp` and `rtmps`.',
);

const mode = oneOf(srtModes).describe(
  'Only with `srt`. `listener`: the encoder connects to the service. `caller`: the service calls the encoder at `url`, again and again until the session ends.',
);
const callFields = optional({
  url: addressText.meta({
    description: 'Listener of the encoder, with its port. Only with the mode `caller`.',
    examples: ['srt://encoder.example.com:9000'],
  }),
  passphrase: addressSecret(10, 79).meta({
    description: 'Passphrase of the encoder. Only with the mode `caller`. Write-only.',
    examples: ['correct-horse-battery'],
  }),
  streamID: addressSecret(1, 512).meta({
    description: 'Stream ID for the encoder. Only with the mode `caller`. Write-only.',
    examples: ['read:stage'],
  }),
});

/** `undefined`: the choice fits the protocol and the tracks. */
export function ingestFault({ ingest }: CreateExternalSessionDto): string | undefined {
  return renditionsFault(ingest) ?? callFault(ingest);
}

function renditionsFault(ingest: CreateExternalSessionDto['ingest']): string | undefined {
  if (ingest.webrtcRenditions !== true) return undefined;
  const field = 'ingest.webrtcRenditions';
  if (!isEncoderProtocol(ingest.protocol))
    return `${field} needs the protocol srt, rtmp or rtmps. Other publishers send smaller pictures themselves, by simulcast.`;
  return ingest.tracks.includes('video') ? undefined : `${field} needs video in ingest.tracks.`;
}

function callFault({ protocol, mode, ...fields }: CreateExternalSessionDto['ingest']): string | undefined {
  if (mode !== undefined && protocol !== 'srt') return 'ingest.mode needs the protocol srt.';
  if (mode === 'caller') return fields.url ? undefined : 'ingest.url is required with the mode caller.';
  const given = (['url', 'passphrase', 'streamID'] as const).find(name => fields[name]);
  return given && `ingest.${given} needs the protocol srt with the mode caller. The service issues it otherwise.`;
}

/** The encoder that the service must call; undefined: the publisher comes. Throws BAD_REQUEST for an address that is not allowed. */
export function callIn({ ingest }: CreateExternalSessionDto, allowsPrivate: boolean): EncoderCall | undefined {
  const { mode, url, passphrase, streamID } = ingest;
  if (mode !== 'caller' || !url) return undefined;
  requireTargetOf({ protocol: 'srt', url, passphrase, streamKey: streamID }, allowsPrivate);
  return { url, ...(passphrase && { passphrase }), ...(streamID && { streamID }) };
}

/** An ingest node translates these protocols to WHIP. */
export function isEncoderProtocol(protocol: ExternalSession['protocol']): protocol is EncoderProtocol {
  return encoderProtocols.some(each => each === protocol);
}

export class CreateExternalSessionDto extends Dto({
  ...externalSessionFields,
  ingest: z
    .strictObject(
      { ...ingestFields, webrtcRenditions: webrtcRenditions.optional(), mode: mode.optional(), ...callFields },
      { error: 'must be an object with protocol and tracks.' },
    )
    .describe('How the publisher sends media.'),
}) {}

/** `action` alone. */
export class RenewTokenDto extends Dto({}) {}

/** `action` alone. */
export class TrackActionDto extends Dto({}) {}

/** Fields besides the row: the address to publish to, and a token that was just issued. */
export interface IngestAccess {
  /** Base address of the node that has the session; undefined while none has. */
  publicUrl: string | undefined;
  issued?: IssuedToken;
  /** In place of address and token, for a publisher that comes over the room socket. */
  join?: JoinTicket;
  thumbnailUrl?: string;
  /** For an encoder of SRT, RTMP or RTMPS: its address and secret, just issued. */
  encoder?: EncoderAccess;
  /** The address that the service calls; undefined or null: the encoder connects. */
  callUrl?: string | null;
  problem?: IngestProblem | null;
}

const trackSchema = z.object({
  trackID: z.string().describe('Identifier of the track.'),
  kind: mediaKind,
  codec: z.string().describe('Codec of the track.'),
  state: z.enum(trackStates).describe('State of the track.'),
});

const ingestSchema = z.object({
  ...ingestFields,
  webrtcRenditions: webrtcRenditions.optional(),
  mode: mode.optional(),
  url: z
    .string()
    .nullable()
    .optional()
    .describe(
      'Ingest URL of `whip`; null while no media node is available. Mode `caller`: the address that the service calls. Others: when just issued.',
    ),
  token: z.string().optional().describe('Ingest token of `whip`, present when it was just issued.'),
  tokenExpiresAt: time.optional().describe('When the ingest token, or an unused key, expires.'),
  passphrase: z.string().optional().describe('Passphrase of `srt`, when just issued.'),
  latencyMs: z.number().min(0).optional().describe('Latency of `srt` in milliseconds.'),
  streamKey: z.string().optional().describe('Stream key of `rtmp` and `rtmps`, when just issued.'),
  problem: z
    .enum(ingestProblems)
    .nullable()
    .optional()
    .describe('Why the last encoder was refused or dropped; null: it was not.'),
  join: joinTicketSchema.optional().describe('Ticket of `service-webrtc`, present when it was just issued.'),
});

export const externalSessionSchema = z
  .object({
    sessionID: identifier('ext'),
    meetingID: identifier('room'),
    participantID: identifier('part'),
    ...externalSessionFields,
    state: oneOfKeys(externalSessionTransitions).describe('State of the session.'),
    ingest: ingestSchema.describe('How the publisher sends media.'),
    tracks: z.array(trackSchema).describe('Tracks that the publisher sends.'),
    health: z.array(z.enum(healthCodes)).describe('Problems of the media; empty without problems.'),
    keyframeIntervalSeconds: z
      .number()
      .min(0)
      .nullable()
      .describe('Measured seconds between keyframes of video; null: not measured.'),
    thumbnailUrl: z
      .string()
      .nullable()
      .describe(
        'Short-lived address of a JPEG of the present picture; null unless one active session with video is read.',
      ),
    ...lifeFields,
  })
  .meta({ id: 'ExternalSession', description: 'A publisher outside the room.' });
export type PresentedExternalSession = z.infer<typeof externalSessionSchema>;

export function presentExternalSession(row: ExternalSession, access: IngestAccess): PresentedExternalSession {
  return {
    sessionID: row.id,
    meetingID: row.meetingID,
    participantID: row.participantID,
    displayName: row.displayName,
    state: row.state,
    ingest: presentIngest(row, access),
    tracks: row.tracks,
    health: row.health,
    keyframeIntervalSeconds: row.keyframeIntervalSeconds,
    thumbnailUrl: access.thumbnailUrl ?? null,
    ...presentFields(lifeFields, row),
  };
}

function presentIngest(
  { id, protocol, requestedTracks: tracks, webrtcRenditions }: ExternalSession,
  { publicUrl, issued, join, encoder, callUrl, problem }: IngestAccess,
): PresentedExternalSession['ingest'] {
  return {
    ...{ protocol, tracks },
    ...(isEncoderProtocol(protocol) && { webrtcRenditions }),
    ...(protocol === 'srt' && (callUrl ? { mode: 'caller', url: callUrl } : { mode: 'listener' })),
    ...(protocol === 'whip' && { url: publicUrl === undefined ? null : `${publicUrl}/whip/${id}` }),
    ...(issued && { token: issued.token, tokenExpiresAt: presentTime(issued.expiresAt) }),
    ...(join && { join }),
    ...(encoder && presentEncoderAccess(encoder)),
    ...(problem !== undefined && { problem }),
  };
}

function presentEncoderAccess({ expiresAt, ...access }: EncoderAccess) {
  return { ...access, tokenExpiresAt: presentTime(expiresAt) };
}

const liveFields = {
  displayName: z.string().describe('Name of the publisher.'),
  protocol: z.enum(ingestProtocols).describe('How the publisher sends media.'),
  state: oneOfKeys(externalSessionTransitions).describe('State of the session.'),
  health: z.array(z.enum(healthCodes)).describe('Problems of the media; empty without problems.'),
  createdAt: time.describe('When the session was created.'),
  activatedAt: time.nullable().describe('When media arrived first; null: not yet.'),
};

export const liveSessionSchema = z
  .object({
    accountID: identifier('acct'),
    meetingID: identifier('room'),
    sessionID: identifier('ext'),
    nodeID: z.string().nullable().describe('SFU node of the session; null: none yet.'),
    ...liveFields,
  })
  .meta({ id: 'LiveSession', description: 'An external session that has not ended, for the administrator.' });
export type PresentedLiveSession = z.infer<typeof liveSessionSchema>;

export function presentLiveSession(row: ExternalSession): PresentedLiveSession {
  const { accountID, meetingID, id: sessionID, nodeID } = row;
  return { accountID, meetingID, sessionID, nodeID, ...presentFields(liveFields, row) };
}
