import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { OverviewAnswer } from '@rtms/contracts';
import type { KeyType } from '../../platform/auth/caller.js';
import type { SignedIn } from '../../platform/auth/signed-in.decorators.js';
import { CurrentAccount, CurrentEnvironments, DashboardFor } from '../../platform/auth/signed-in.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { one } from '../../platform/http/answers.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { GetOverviewDto } from './get-overview.dto.js';
import { overviewRange } from './overview-range.js';
import { OverviewService } from './overview.service.js';
import { overviewSchema } from './present-overview.js';

type Account = NonNullable<SignedIn['account']>;

@ApiTag({ name: 'Overview', description: 'Current and recent use of the account.' })
@Controller('dashboard/api/overview')
@DashboardFor('owner')
export class DashboardOverviewController {
  constructor(
    private readonly overview: OverviewService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getOverview',
    summary: 'Read the overview of the account',
    description:
      'Counts rooms of the environment in the header `X-RTMS-Environment`, or of both environments without it.',
  })
  @ApiAnswer(one('overview', overviewSchema))
  async get(
    @CurrentAccount() { accountID }: Account,
    @CurrentEnvironments() environments: readonly KeyType[],
    @Query() query: GetOverviewDto,
  ): Promise<OverviewAnswer> {
    const at = this.clock.now();
    const range = overviewRange(query, at);
    const of = { accountID, environments };
    const [now, points] = await Promise.all([this.overview.now(of), this.overview.points(of, range, at)]);
    const [from, to] = [range.from, range.to].map(time => new Date(time).toISOString()) as [string, string];
    return { success: true, overview: { from, to, bucket: range.bucket, now, points } };
  }
}
