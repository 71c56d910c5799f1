import { IsBoolean, IsIn, IsOptional, Length } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';
import { features, type Feature } from '../../features/features.js';

const accountRule = { message: 'accountID must be the identifier of an account.' };

export class GetFeaturesDto {
  @IsOptional()
  @IsQueryText('accountID')
  accountID?: string;
}

export class SetFeatureDto {
  @IsIn(features, { message: `feature must be one of: ${features.join(', ')}.` })
  feature!: Feature;

  @IsBoolean({ message: 'enabled must be true or false.' })
  enabled!: boolean;

  /** Left out: for the whole platform. */
  @IsOptional()
  @Length(1, 64, accountRule)
  accountID?: string | null;
}
