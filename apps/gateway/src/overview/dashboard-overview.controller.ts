import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { OverviewAnswer } from '@rtms/contracts';
import type { KeyType } from '../auth/caller.js';
import type { SignedIn } from '../dashboard-sessions/dashboard-sessions.service.js';
import { CurrentAccount, CurrentEnvironments, DashboardFor } from '../dashboard-sessions/signed-in.decorators.js';
import { Answers, one } from '../http/answers.js';
import { CLOCK } from '../runtime.module.js';
import { GetOverviewDto } from './dto/get-overview.dto.js';
import { overviewRange } from './overview-range.js';
import { OverviewService } from './overview.service.js';
import { overviewSchema } from './present-overview.js';

type Account = NonNullable<SignedIn['account']>;

@Controller('dashboard/api/overview')
@DashboardFor('owner')
export class DashboardOverviewController {
  constructor(
    private readonly overview: OverviewService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Counts rooms of the environment that the header X-RTMS-Environment names; without it those of both. */
  @Get()
  @Answers(one('overview', overviewSchema))
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
