import { viewerFaults } from '@rtms/contracts';
import { z } from 'zod';
import { count, identifier, success, time } from '../../platform/http/answers.js';
import { Dto, optionalQuery } from '../../platform/http/dto.js';
import { matching, pageSizeText, queryTime } from '../../platform/http/fields.js';

export class ListViewersDto extends Dto(
  optionalQuery({
    after: matching(/^vwr_[\w-]{1,60}$/, 'must be a nextCursor of this list.').meta({
      description: 'Answers only viewers behind this `nextCursor`.',
      examples: ['vwr_V1StGXR8Z5jdHi6BmyT0aB'],
    }),
    pageSize: pageSizeText,
    from: queryTime.describe(
      'Start of the period, at most an hour before its end. Default: ten minutes before its end.',
    ),
    to: queryTime.describe('End of the period. Default: now.'),
  }),
) {}

const amount = z.number().min(0);
const share = amount.max(1);
const verdictFields = {
  fault: z
    .enum(viewerFaults)
    .meta({ id: 'ViewerFault' })
    .describe(
      'The part at fault: `publisher` (sends nothing), `uplink` (its network), `node` (overloaded, or its network), `relay` ' +
        '(the way between two nodes), `viewer_network`, or `none` while the media arrives well.',
    ),
  reason: z.string().describe('The verdict in a sentence, with the measurement behind it.'),
};

const sampleSchema = z.object({
  at: time.describe('When the sample was taken, or the start of the step.'),
  roundTripMs: amount.nullable().describe('Round-trip time in milliseconds; null: not measured.'),
  fractionLost: share.describe('Share of lost packets before retransmission, from 0 to 1: the largest of the step.'),
  retransmitted: share.describe('Share of packets that were sent again, from 0 to 1.'),
  bitrate: amount.describe('Sent bits per second of the video, else of the audio.'),
  layer: count.nullable().describe('Sent spatial layer, 0 is the lowest; null without layers.'),
  frozenMs: amount.describe('Estimated milliseconds without a new picture.'),
  delayMs: amount.nullable().describe('Delay by the networks: half of both round-trip times; null: not measured.'),
  ...verdictFields,
});

export type PresentedVerdict = { [Name in keyof typeof verdictFields]: z.infer<(typeof verdictFields)[Name]> };

const viewerFields = {
  viewerID: identifier('vwr'),
  firstSampleAt: time.describe('Time of the first sample in the period.'),
  lastSampleAt: time.describe('Time of the last sample in the period.'),
};

export const viewerSchema = z
  .object({
    ...viewerFields,
    frozenMs: amount.describe('Estimated milliseconds without a new picture in the period.'),
    ...verdictFields,
    samples: z.array(sampleSchema).describe('At most 60 samples, oldest first.'),
  })
  .meta({ id: 'ViewerQuality', description: 'The media that one viewer of a playback received.' });

const viewersOfPage = 'The viewers of this page, in the order of their identifiers.';
const periodFields = {
  success,
  stepSeconds: count.describe('Seconds between two samples. Periods above ten minutes have longer steps.'),
  nextCursor: z.string().nullable().describe('The `after` of the next page; null: this is the last one.'),
  hasMore: z.boolean().describe('Whether there is a next page.'),
};
export type ViewersPeriod = { [Name in keyof typeof periodFields]: z.infer<(typeof periodFields)[Name]> };

export const viewersSchema = z.strictObject({
  ...periodFields,
  viewers: z.array(viewerSchema).describe(viewersOfPage),
});
export type ViewersAnswer = z.infer<typeof viewersSchema>;

const hlsSampleSchema = z.object({
  at: time.describe('When the sample was taken, or the start of the step.'),
  bufferMs: amount
    .nullable()
    .describe('Shortest buffer of the player in milliseconds, at most 327,670; null: not reported.'),
  stalls: count.describe('Times that the player ran out of media.'),
  throughput: amount
    .nullable()
    .describe('Bits per second that the player measured, at most 327,670,000; null: not reported.'),
  bitrate: amount.nullable().describe('Bits per second of the requested rendition; null: not reported.'),
  ...verdictFields,
});

export const hlsViewerSchema = z
  .object({
    ...viewerFields,
    stalls: count.describe('Times that the player ran out of media in the period.'),
    ...verdictFields,
    samples: z.array(hlsSampleSchema).describe('At most 60 samples, oldest first.'),
  })
  .meta({ id: 'HlsViewerQuality', description: 'The playback of one viewer of a broadcast, as its player reports.' });

export const hlsViewersSchema = z.strictObject({
  ...periodFields,
  viewers: z.array(hlsViewerSchema).describe(viewersOfPage),
});
export type HlsViewersAnswer = z.infer<typeof hlsViewersSchema>;
