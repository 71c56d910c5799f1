import { overviewBuckets } from '@rtms/contracts';
import { Dto, optionalQuery } from '../../platform/http/dto.js';
import { oneOf, queryTime } from '../../platform/http/fields.js';

export class GetOverviewDto extends Dto(
  optionalQuery({
    from: queryTime.describe('Start of the period. Default: 24 hours before `to`.'),
    to: queryTime.describe('End of the period, exclusive. Default: now.'),
    bucket: oneOf(overviewBuckets).describe('Length of one point. Default: by the length of the period.'),
  }),
) {}
