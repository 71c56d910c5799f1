import { ServiceError, broadcastTransitions, slateProblems } from '@rtms/contracts';
import { requireTarget } from '@rtms/http';
import { z } from 'zod';
import { Dto, optional } from '../../platform/http/dto.js';
import { idOf, oneOf, webURL, whole } from '../../platform/http/fields.js';
import { count, identifier, oneOfKeys, time } from '../../platform/http/answers.js';
import { presentFields, presentTime } from '../../platform/http/present.js';
import { layouts } from '../resources/composition-of.js';
import { lifeFields } from '../resources/end-media.dto.js';
import type { IssuedToken } from '../../accounts/signing-keys/media-tokens.service.js';
import type { Broadcast } from '../resources/broadcast.entity.js';

/** The source of a broadcast or a recording. */
export const sourceFields = {
  sourceSessionID: idOf('an external session').describe('External session to take media from.'),
  sourceParticipantID: idOf('a participant').describe('Participant to take media from.'),
};

const broadcastLayouts = ['source', 'grid', 'speaker'] as const;
const layoutField = {
  layout: oneOf(broadcastLayouts).describe('`source`: one source. `grid`, `speaker`: the whole room in one picture.'),
};

const dvrField = {
  dvrSeconds: whole(0, 4 * 3600, 'seconds').describe('How far back viewers can seek; 0: about 20 seconds.'),
};
const latencies = ['normal', 'low'] as const;
const latencyField = {
  latency: oneOf(latencies).describe('`low`: about 2 s behind live by low-latency HLS; `normal`: about 7 s.'),
};
const slateField = {
  slate: z
    .strictObject(
      { imageUrl: webURL.describe('Public https address of a JPEG or PNG, at most 4 MiB and 3840 × 2160 pixels.') },
      { error: 'must be an object with imageUrl.' },
    )
    .describe('Fills the broadcast of one source while the source is lost. Default: its last picture, dimmed.'),
};

/** Needs exactly one of the two sources, or a layout of the whole room. */
export class CreateBroadcastDto extends Dto(
  optional(
    { ...sourceFields, ...layoutField, ...dvrField, ...latencyField, ...slateField },
    { layout: 'source', dvrSeconds: 0, latency: 'normal' },
  ),
) {}

/** The address of the image in place of a lost source; null: the last picture. Throws BAD_REQUEST for an address that is not allowed. */
export function slateImageOf({ slate, layout }: CreateBroadcastDto, allowsPrivate: boolean): string | null {
  if (!slate) return null;
  if (layout === 'grid' || layout === 'speaker')
    throw new ServiceError('invalid_request', 'slate is for a broadcast of one source. Leave it out with a layout.');
  requireTarget(slate.imageUrl, { allowsPrivate }, 'slate.imageUrl');
  return slate.imageUrl;
}

/** The source of a broadcast or a recording: exactly one of the two. */
export interface SourceChoice {
  sourceSessionID: string | null;
  sourceParticipantID: string | null;
}

/** The source is a whole room. */
export const noSource: SourceChoice = { sourceSessionID: null, sourceParticipantID: null };

export function requireOneSource({
  sourceSessionID = null,
  sourceParticipantID = null,
}: Partial<Record<keyof typeof sourceFields, string | null | undefined>>): SourceChoice {
  if ((sourceSessionID === null) === (sourceParticipantID === null))
    throw new ServiceError('invalid_request', 'Give either sourceSessionID or sourceParticipantID.');
  return { sourceSessionID, sourceParticipantID };
}

/** Fields besides the row, while the broadcast can be played. */
interface BroadcastAccess {
  /** Base address of the node that has the broadcast. */
  publicUrl: string;
  entry: IssuedToken;
}

const renditionSchema = z
  .object({
    name: z.string().describe('Name of the rendition.'),
    width: count.describe('Width in pixels.'),
    height: count.describe('Height in pixels.'),
    frameRate: z.number().min(0).describe('Frames per second.'),
    videoBitrate: count.describe('Bits per second of video.'),
    audioBitrate: count.describe('Bits per second of audio.'),
    codecs: z.string().describe('Codecs, as in RFC 6381.'),
  })
  .meta({ id: 'Rendition', description: 'A quality of the broadcast.' });

export const broadcastSchema = z
  .object({
    broadcastID: identifier('bcast'),
    meetingID: identifier('room'),
    sourceSessionID: identifier('ext').nullable().describe('External session of the source, or null.'),
    sourceParticipantID: identifier('part').nullable().describe('Participant of the source, or null.'),
    layout: z.enum(['source', ...layouts]).describe('Layout of the whole room; `source`: one source.'),
    dvrSeconds: count.describe('How far back viewers can seek, in seconds, while the disk of the node suffices.'),
    latency: z.enum(latencies).describe('`low`: by low-latency HLS.'),
    slate: z
      .object({
        imageUrl: z.string().describe('Address of the image.'),
        problem: z
          .enum(slateProblems)
          .nullable()
          .describe('Why the image cannot be shown, so that the last picture is shown; null: it can.'),
      })
      .nullable()
      .describe('Image that is shown while the source is lost; null: the last picture.'),
    state: oneOfKeys(broadcastTransitions).describe('State of the broadcast. Offer it to viewers when it is `active`.'),
    renditions: z.array(renditionSchema).describe('Renditions of the broadcast, best first.'),
    playbackUrl: z
      .string()
      .nullable()
      .describe('Address of the playlist with a short-lived token; null when it cannot be played.'),
    playbackTokenExpiresAt: time.nullable().describe('When the token of playbackUrl expires.'),
    ...lifeFields,
  })
  .meta({ id: 'Broadcast', description: 'An HLS broadcast.' });
export type PresentedBroadcast = z.infer<typeof broadcastSchema>;

export function presentBroadcast(row: Broadcast, access: BroadcastAccess | undefined): PresentedBroadcast {
  return {
    broadcastID: row.id,
    meetingID: row.meetingID,
    sourceSessionID: row.sourceSessionID,
    sourceParticipantID: row.sourceParticipantID,
    layout: row.composition?.layout ?? 'source',
    dvrSeconds: row.dvrSeconds,
    latency: row.latency,
    slate: row.slateImageUrl === null ? null : { imageUrl: row.slateImageUrl, problem: row.slateProblem },
    state: row.state,
    renditions: row.renditions,
    playbackUrl: access ? playbackUrl(row, access) : null,
    playbackTokenExpiresAt: access ? presentTime(access.entry.expiresAt) : null,
    ...presentFields(lifeFields, row),
  };
}

function playbackUrl({ id }: Broadcast, { publicUrl, entry }: BroadcastAccess): string {
  return `${publicUrl}/hls/${id}/index.m3u8?token=${entry.token}`;
}
