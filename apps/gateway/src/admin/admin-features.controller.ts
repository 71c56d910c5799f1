import { Body, Controller, Get, HttpCode, Put, Query } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { featureStatesSchema, type FeatureStates } from '../features/features.js';
import { FeaturesService } from '../features/features.service.js';
import { Answers, one } from '../http/answers.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import { IdempotentPost } from '../idempotency/idempotent-post.decorator.js';
import { GetFeaturesDto, SetFeatureDto } from './dto/features.dto.js';

type FeaturesAnswer = OneAnswer<'features', FeatureStates>;

/** Features of the platform, or of the account that `accountID` names. */
@Controller('admin/v1/features')
@AdministratorOnly()
export class AdminFeaturesController {
  constructor(
    private readonly features: FeaturesService,
    private readonly accounts: AccountsService,
  ) {}

  @Get()
  @Answers(one('features', featureStatesSchema))
  async get(@Query() { accountID }: GetFeaturesDto): Promise<FeaturesAnswer> {
    return presentOne('features', await this.read(accountID));
  }

  @Put()
  @Answers(one('features', featureStatesSchema))
  async put(@Body() dto: SetFeatureDto): Promise<FeaturesAnswer> {
    return presentOne('features', await this.write(dto));
  }

  /** The same as PUT, for those who know only the way of `/v1`. */
  @IdempotentPost()
  @HttpCode(200)
  @Answers(one('features', featureStatesSchema))
  post(@Body() dto: SetFeatureDto): Promise<FeaturesAnswer> {
    return this.put(dto);
  }

  private async read(accountID: string | undefined): Promise<FeatureStates> {
    if (accountID === undefined) return this.features.ofPlatform();
    await this.accounts.find(accountID);
    return this.features.ofAccount(accountID);
  }

  private async write({ accountID, feature, enabled }: SetFeatureDto): Promise<FeatureStates> {
    if (accountID === undefined || accountID === null) return this.features.setForPlatform(feature, enabled);
    await this.accounts.find(accountID);
    return this.features.setForAccount(accountID, feature, enabled);
  }
}
