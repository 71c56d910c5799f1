import { Controller, Get, Param } from '@nestjs/common';
import type { StatisticsAnswer } from '@rtms/contracts';
import { z } from 'zod';
import type { SignedIn } from '../dashboard-sessions/dashboard-sessions.service.js';
import { CurrentAccount, DashboardFor } from '../dashboard-sessions/signed-in.decorators.js';
import { Answers, count, identifier, one, time } from '../http/answers.js';
import { RequestID } from '../http/request-id.decorator.js';
import { mediaKinds } from '../media/media-kinds.decorator.js';
import { SessionStatisticsService } from './session-statistics.service.js';

type Account = NonNullable<SignedIn['account']>;

const amount = z.number().min(0);
const trackSchema = z.object({
  trackID: z.string(),
  kind: z.enum(mediaKinds),
  codec: z.string(),
  bitrate: amount,
  packetsReceived: count,
  packetsLost: count,
  fractionLost: amount.max(1),
  jitterMs: amount,
  roundTripMs: amount.nullable(),
  width: count.nullable(),
  height: count.nullable(),
  frameRate: amount.nullable(),
});
const statisticsSchema: z.ZodType<StatisticsAnswer['statistics']> = z
  .object({ sessionID: identifier('ext'), measuredAt: time, tracks: z.array(trackSchema) })
  .meta({ id: 'SessionStatistics' });

@Controller('dashboard/api/external-sessions')
@DashboardFor('owner')
export class DashboardSessionStatisticsController {
  constructor(private readonly statistics: SessionStatisticsService) {}

  @Get(':sessionID/statistics')
  @Answers(one('statistics', statisticsSchema), 'source_not_active', 'controller_unavailable')
  async get(
    @CurrentAccount() { accountID }: Account,
    @Param('sessionID') sessionID: string,
    @RequestID() requestID: string,
  ): Promise<StatisticsAnswer> {
    return { success: true, statistics: await this.statistics.read(accountID, sessionID, requestID) };
  }
}
