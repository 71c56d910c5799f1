import { IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import { features, type Feature } from '../../features/features.js';

const accountRule = { message: 'accountID must be the identifier of an account.' };

export class GetFeaturesDto {
  @IsOptional()
  @IsString(accountRule)
  accountID?: string;
}

export class SetFeatureDto {
  @IsIn(features, { message: `feature must be one of: ${features.join(', ')}.` })
  feature!: Feature;

  @IsBoolean({ message: 'enabled must be true or false.' })
  enabled!: boolean;

  /** Left out: for the whole platform. */
  @IsOptional()
  @IsString(accountRule)
  accountID?: string;
}
