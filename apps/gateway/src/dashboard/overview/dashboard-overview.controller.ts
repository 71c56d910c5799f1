import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import type { EntitlementsAnswer, OverviewAnswer } from '@rtms/contracts';
import { BalancesRepository } from '../../accounts/balance/balances.repository.js';
import { presentBalance } from '../../accounts/balance/present-balance.js';
import { EntitlementsService, entitlementsSchema } from '../../accounts/entitlements/entitlements.service.js';
import type { KeyType } from '../../platform/auth/caller.js';
import {
  CurrentAccount,
  CurrentEnvironments,
  DashboardFor,
  type SignedInAccount,
} from '../../platform/auth/signed-in.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { one } from '../../platform/http/answers.js';
import { presentOne } from '../../platform/http/present.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { overviewRange, pointsOf } from './overview-range.js';
import { GetOverviewDto, overviewSchema } from './overview.dto.js';
import { OverviewRepository } from './overview.repository.js';

@ApiTag({ name: 'Overview', description: 'Current and recent use of the account.' })
@Controller('dashboard/api/overview')
@DashboardFor('owner')
export class DashboardOverviewController {
  constructor(
    private readonly overview: OverviewRepository,
    private readonly balances: BalancesRepository,
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
    @CurrentAccount() { accountID }: SignedInAccount,
    @CurrentEnvironments() environments: readonly KeyType[],
    @Query() query: GetOverviewDto,
  ): Promise<OverviewAnswer> {
    const at = this.clock.now();
    const range = overviewRange(query, at);
    const of = { accountID, environments };
    const [counts, balance, rows] = await Promise.all([
      this.overview.countNow(of),
      this.balances.read(accountID),
      this.overview.readBuckets(of, range, at),
    ]);
    const [from, to] = [range.from, range.to].map(time => new Date(time).toISOString()) as [string, string];
    const now = { ...counts, minutesLeft: presentBalance(balance) };
    return { success: true, overview: { from, to, bucket: range.bucket, now, points: pointsOf(rows, range) } };
  }
}

@ApiTag({ name: 'Entitlements', description: 'Entitlements of the account.' })
@Controller('dashboard/api/entitlements')
@DashboardFor('owner')
export class DashboardEntitlementsController {
  constructor(private readonly entitlements: EntitlementsService) {}

  @Get()
  @ApiOperation({ operationId: 'getEntitlements', summary: 'Read the entitlements of the account' })
  @ApiAnswer(one('entitlements', entitlementsSchema))
  async get(@CurrentAccount() { accountID }: SignedInAccount): Promise<EntitlementsAnswer> {
    return presentOne('entitlements', await this.entitlements.read(accountID));
  }
}
