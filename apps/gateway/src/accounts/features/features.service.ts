import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ServiceError } from '@rtms/contracts';
import { Repository } from 'typeorm';
import { SharedReads } from '../../platform/jobs/shared-reads.js';
import { selectRows } from '../../platform/rows/plain-rows.js';
import { AccountFeature, PlatformFeature } from './feature.entities.js';
import { effectiveFeatures, featureNames, type Feature, type FeatureStates } from './features.js';

@Injectable()
export class FeaturesService {
  private readonly reads = new SharedReads<FeatureStates>();

  constructor(
    @InjectRepository(PlatformFeature) private readonly platform: Repository<PlatformFeature>,
    @InjectRepository(AccountFeature) private readonly account: Repository<AccountFeature>,
  ) {}

  /** Throws FORBIDDEN, `feature_disabled`, unless platform and account both have it on. */
  async requireEnabled(accountID: string, feature: Feature): Promise<void> {
    const states = await this.ofAccount(accountID);
    if (!states[feature]) {
      throw new ServiceError('feature_disabled', `${featureNames[feature]} is switched off for this account.`);
    }
  }

  async ofPlatform(): Promise<FeatureStates> {
    return effectiveFeatures(await this.platform.find(), []);
  }

  ofAccount(accountID: string): Promise<Readonly<FeatureStates>> {
    return this.reads.read(accountID, () => this.readAll(accountID));
  }

  private async readAll(accountID: string): Promise<FeatureStates> {
    const [platform, account] = await Promise.all([
      selectRows(this.platform, '', []),
      selectRows(this.account, 'WHERE account_id = $1', [accountID]),
    ]);
    return effectiveFeatures(platform, account);
  }

  async setForPlatform(feature: Feature, enabled: boolean): Promise<FeatureStates> {
    await this.platform.upsert({ feature, enabled }, ['feature']);
    return this.ofPlatform();
  }

  async setForAccount(accountID: string, feature: Feature, enabled: boolean): Promise<FeatureStates> {
    await this.account.upsert({ accountID, feature, enabled }, ['accountID', 'feature']);
    return this.ofAccount(accountID);
  }
}
