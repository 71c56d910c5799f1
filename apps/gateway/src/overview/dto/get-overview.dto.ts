import { overviewBuckets, type OverviewBucket } from '@rtms/contracts';
import { IsIn, IsOptional } from 'class-validator';
import { IsTime } from '../../fields/time.decorator.js';

export class GetOverviewDto {
  /** The first moment that counts; default: 24 hours before `to`. */
  @IsOptional()
  @IsTime('from')
  from?: string;

  /** The first moment that does not count any more; default: now. */
  @IsOptional()
  @IsTime('to')
  to?: string;

  @IsOptional()
  @IsIn(overviewBuckets, { message: `bucket must be one of: ${overviewBuckets.join(', ')}.` })
  bucket?: OverviewBucket;
}
