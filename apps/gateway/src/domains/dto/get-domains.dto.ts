import { IsOptional } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';

export class GetDomainsDto {
  @IsOptional()
  @IsQueryText('domainID')
  domainID?: string;
}
