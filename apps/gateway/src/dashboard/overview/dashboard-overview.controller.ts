import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import {
  protocolObstacles,
  shownIngestProtocols,
  type EntitlementsAnswer,
  type IngestProtocolsAnswer,
  type IngestProtocolStates,
  type LiveAnswer,
  type LiveSession,
  type OverviewAnswer,
} from '@rtms/contracts';
import { z } from 'zod';
import { BalancesRepository } from '../../accounts/balance/balances.repository.js';
import { presentBalance } from '../../accounts/balance/present-balance.js';
import { EntitlementsService, entitlementsSchema } from '../../accounts/entitlements/entitlements.service.js';
import { FeaturesService } from '../../accounts/features/features.service.js';
import { ThumbnailsService } from '../../media/external-sessions/thumbnails.service.js';
import type { KeyType } from '../../platform/auth/caller.js';
import {
  CurrentAccount,
  CurrentEnvironments,
  DashboardFor,
  type SignedInAccount,
} from '../../platform/auth/signed-in.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { one } from '../../platform/http/answers.js';
import { presentOne, presentTime } from '../../platform/http/present.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { overviewRange, pointsOf } from './overview-range.js';
import { GetOverviewDto, liveSchema, overviewSchema } from './overview.dto.js';
import { OverviewRepository, type LiveRow } from './overview.repository.js';

const liveAtMost = 24;

@ApiTag({ name: 'Overview', description: 'Current and recent use of the account.' })
@Controller('dashboard/api/overview')
@DashboardFor('viewer')
export class DashboardOverviewController {
  constructor(
    private readonly overview: OverviewRepository,
    private readonly balances: BalancesRepository,
    private readonly thumbnails: ThumbnailsService,
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

  @Get('live')
  @ApiOperation({
    operationId: 'getLive',
    summary: 'Read what is live now',
    description: `The newest ${liveAtMost} active external sessions, and the first steps that the account has taken.`,
  })
  @ApiAnswer(one('live', liveSchema))
  async live(
    @CurrentAccount() { accountID }: SignedInAccount,
    @CurrentEnvironments() environments: readonly KeyType[],
  ): Promise<LiveAnswer> {
    const [rows, steps] = await Promise.all([
      this.overview.listLive({ accountID, environments }, liveAtMost),
      this.overview.firstSteps(accountID),
    ]);
    const sessions = await Promise.all(rows.map(row => this.present(row)));
    return presentOne('live', { sessions, total: rows[0]?.total ?? 0, steps });
  }

  private async present(row: LiveRow): Promise<LiveSession> {
    const { id: sessionID, meetingID, displayName, roomName, health, viewers, broadcasts, recordings } = row;
    return {
      ...{ sessionID, meetingID, displayName, roomName, health, viewers, broadcasts, recordings },
      activatedAt: presentTime(row.activatedAt),
      thumbnail: (await this.thumbnails.path(row)) ?? null,
    };
  }
}

@ApiTag({ name: 'Entitlements', description: 'Entitlements of the account.' })
@Controller('dashboard/api/entitlements')
@DashboardFor('viewer')
export class DashboardEntitlementsController {
  constructor(private readonly entitlements: EntitlementsService) {}

  @Get()
  @ApiOperation({ operationId: 'getEntitlements', summary: 'Read the entitlements of the account' })
  @ApiAnswer(one('entitlements', entitlementsSchema))
  async get(@CurrentAccount() { accountID }: SignedInAccount): Promise<EntitlementsAnswer> {
    return presentOne('entitlements', await this.entitlements.read(accountID));
  }
}

const obstacle = z.enum(protocolObstacles).nullable();
const ingestProtocolsSchema: z.ZodType<IngestProtocolStates> = z
  .object(
    Object.fromEntries(
      shownIngestProtocols.map(name => [name, obstacle.describe('Why the account may not use it; null: it may.')]),
    ) as Record<(typeof shownIngestProtocols)[number], typeof obstacle>,
  )
  .meta({ id: 'IngestProtocols', description: 'Protocols of encoders.' });

@ApiTag({ name: 'Entitlements' })
@Controller('dashboard/api/ingest-protocols')
@DashboardFor('viewer')
export class DashboardIngestProtocolsController {
  constructor(
    private readonly features: FeaturesService,
    private readonly entitlements: EntitlementsService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'getIngestProtocols', summary: 'Read by which protocols encoders may publish' })
  @ApiAnswer(one('ingestProtocols', ingestProtocolsSchema))
  async get(@CurrentAccount() { accountID }: SignedInAccount): Promise<IngestProtocolsAnswer> {
    const [platform, account, { whip: isEntitled }] = await Promise.all([
      this.features.ofPlatform(),
      this.features.ofAccount(accountID),
      this.entitlements.read(accountID),
    ]);
    const obstacleOf = (name: keyof IngestProtocolStates) => {
      if (!platform[name]) return 'disabled_on_platform';
      if (!account[name]) return 'disabled_for_account';
      return name === 'whip' && !isEntitled ? 'not_entitled' : null;
    };
    const states = Object.fromEntries(shownIngestProtocols.map(name => [name, obstacleOf(name)]));
    return presentOne('ingestProtocols', states as IngestProtocolStates);
  }
}
