import { playbackTransitions } from '@rtms/contracts';
import { z } from 'zod';
import { Dto, optional } from '../../platform/http/dto.js';
import { idOf, oneOf } from '../../platform/http/fields.js';
import { mediaKindList, lifeFields, mediaKind } from '../resources/end-media.dto.js';
import { count, identifier, oneOfKeys, time } from '../../platform/http/answers.js';
import { presentFields, presentTime } from '../../platform/http/present.js';
import type { IssuedToken } from '../../accounts/signing-keys/media-tokens.service.js';
import type { Playback } from '../resources/playback.entity.js';

const payloadMatchings = ['fixed', 'adaptive'] as const;

const playbackFields = {
  tracks: mediaKindList.describe('Kinds of media that the player receives.'),
  payloadMatching: oneOf(payloadMatchings).describe(
    '`fixed`: an offer must use the payload types of payloadProfile. `adaptive`: the answer follows the offer.',
  ),
};

const { tracks, payloadMatching } = playbackFields;

export class CreatePlaybackDto extends Dto({
  sourceSessionID: idOf('an external session').describe('An active external session of the room.'),
  tracks,
  ...optional({ payloadMatching }, { payloadMatching: 'fixed' }),
}) {}

/** Fields besides the row: the address to watch at, and a token that was just issued. */
interface PlaybackAccess {
  /** Base address of the node that has the playback; undefined while none has. */
  publicUrl: string | undefined;
  issued?: IssuedToken;
}

const codecSchema = z.object({
  kind: mediaKind,
  mimeType: z.string().describe('Media type of the codec.'),
  payloadType: count.describe('RTP payload type.'),
  clockRate: count.describe('RTP clock rate in Hz.'),
  channels: count.optional().describe('Number of audio channels.'),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])).describe('Format parameters, as in SDP.'),
  rtxPayloadType: count.optional().describe('RTP payload type of retransmissions.'),
});

export const playbackSchema = z
  .object({
    playbackID: identifier('play'),
    meetingID: identifier('room'),
    sourceSessionID: identifier('ext'),
    ...playbackFields,
    state: oneOfKeys(playbackTransitions).describe('State of the playback.'),
    endpoint: z.string().nullable().describe('WHEP endpoint; null while no media node is available.'),
    token: z.string().optional().describe('Playback token, present in the answer of the creation only.'),
    tokenExpiresAt: time.optional().describe('When the playback token expires.'),
    payloadProfile: z
      .object({ codecs: z.array(codecSchema).describe('Codecs of the tracks.') })
      .nullable()
      .describe('Payload types that an offer must use; null until they are known.'),
    viewerCount: count.describe('Number of connected viewers.'),
    ...lifeFields,
  })
  .meta({ id: 'Playback', description: 'A WHEP playback.' });
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
    ...presentFields(lifeFields, row),
  };
}
