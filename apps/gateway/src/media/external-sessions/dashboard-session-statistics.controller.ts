import { Controller, Get, Param } from '@nestjs/common';
import type { StatisticsAnswer } from '@rtms/contracts';
import { z } from 'zod';
import { RequestID } from '@rtms/http';
import type { SignedIn } from '../../platform/auth/signed-in.decorators.js';
import { CurrentAccount, DashboardFor } from '../../platform/auth/signed-in.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { count, identifier, one, time } from '../../platform/http/answers.js';
import { mediaKind } from '../resources/end-media.dto.js';
import { SessionTracksService } from './session-tracks.service.js';

type Account = NonNullable<SignedIn['account']>;

const amount = z.number().min(0);
const trackSchema = z.object({
  trackID: z.string().describe('Identifier of the track.'),
  kind: mediaKind,
  codec: z.string().describe('Codec of the track.'),
  bitrate: amount.describe('Received bits per second.'),
  packetsReceived: count.describe('Received packets.'),
  packetsLost: count.describe('Lost packets.'),
  fractionLost: amount.max(1).describe('Fraction of packets lost, from 0 to 1.'),
  jitterMs: amount.describe('Jitter in milliseconds.'),
  roundTripMs: amount.nullable().describe('Round-trip time in milliseconds; null: not measured.'),
  width: count.nullable().describe('Width of video in pixels.'),
  height: count.nullable().describe('Height of video in pixels.'),
  frameRate: amount.nullable().describe('Frames per second of video.'),
});
const statisticsSchema: z.ZodType<StatisticsAnswer['statistics']> = z
  .object({
    sessionID: identifier('ext'),
    measuredAt: time.describe('When the statistics were measured.'),
    tracks: z.array(trackSchema).describe('Statistics of each track.'),
  })
  .meta({ id: 'SessionStatistics', description: 'Media statistics of an external session.' });

@ApiTag({ name: 'Overview' })
@Controller('dashboard/api/external-sessions')
@DashboardFor('viewer')
export class DashboardSessionStatisticsController {
  constructor(private readonly tracks: SessionTracksService) {}

  @Get(':sessionID/statistics')
  @ApiOperation({
    operationId: 'getExternalSessionStatistics',
    summary: 'Read the media statistics of an external session',
  })
  @ApiAnswer(one('statistics', statisticsSchema), 'source_not_active', 'controller_unavailable')
  async get(
    @CurrentAccount() { accountID }: Account,
    @Param('sessionID') sessionID: string,
    @RequestID() requestID: string,
  ): Promise<StatisticsAnswer> {
    return { success: true, statistics: await this.tracks.readStatistics(accountID, sessionID, requestID) };
  }
}
