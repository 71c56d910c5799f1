import { Body, Controller, Get, HttpCode, Put, Query } from '@nestjs/common';
import { z } from 'zod';
import { AccountsService } from '../accounts/account/accounts.service.js';
import { AdministratorOnly } from '../platform/auth/auth.decorators.js';
import { features, featureStatesSchema, type Feature } from '../accounts/features/features.js';
import { FeaturesService } from '../accounts/features/features.service.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../platform/http/api.decorators.js';
import { count, one } from '../platform/http/answers.js';
import { presentOne } from '../platform/http/present.js';
import { IdempotentPost } from '../platform/idempotency/idempotency.interceptor.js';
import { LiveWorkService } from '../media/nodes/live-work.service.js';
import { GetFeaturesDto, SetFeatureDto } from './admin.dto.js';

const featureUseSchema = z
  .object(
    Object.fromEntries(
      features.map(feature => [feature, count.describe('Live sessions, playbacks with viewers, or broadcasts.')]),
    ) as Record<Feature, typeof count>,
  )
  .meta({ id: 'FeatureUse', description: 'Live media by feature. It continues when the feature is disabled.' });

@ApiTag({
  name: 'Features',
  description: 'Media protocols, enabled for the platform and for an account.',
})
@Controller('admin/v1/features')
@AdministratorOnly()
export class AdminFeaturesController {
  constructor(
    private readonly features: FeaturesService,
    private readonly accounts: AccountsService,
    private readonly work: LiveWorkService,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'getFeatures',
    summary: 'Read the features of the platform or of an account',
    description: 'With `accountID`, answers the features of that account.',
  })
  @ApiAnswer(one('features', featureStatesSchema))
  async get(@Query() { accountID }: GetFeaturesDto) {
    if (accountID === undefined) return presentOne('features', await this.features.ofPlatform());
    await this.accounts.find(accountID);
    return presentOne('features', await this.features.ofAccount(accountID));
  }

  @Get('use')
  @ApiOperation({ operationId: 'getFeatureUse', summary: 'Count the live media by feature' })
  @ApiAnswer(one('use', featureUseSchema))
  async use() {
    return presentOne('use', await this.work.byFeature());
  }

  @Put()
  @ApiOperation({
    operationId: 'setFeature',
    summary: 'Enable or disable a feature',
    description: 'With `accountID`, changes the feature for that account only.',
  })
  @ApiAnswer(one('features', featureStatesSchema))
  async put(@Body() { accountID, feature, enabled }: SetFeatureDto) {
    if (!accountID) return presentOne('features', await this.features.setForPlatform(feature, enabled));
    await this.accounts.find(accountID);
    return presentOne('features', await this.features.setForAccount(accountID, feature, enabled));
  }

  /** The same as PUT, for clients that send POST as to `/v1`. */
  @IdempotentPost()
  @HttpCode(200)
  @ApiOperation({ operationId: 'setFeatureByPost', summary: 'Enable or disable a feature (same as PUT)' })
  @ApiAnswer(one('features', featureStatesSchema))
  post(@Body() dto: SetFeatureDto) {
    return this.put(dto);
  }
}
