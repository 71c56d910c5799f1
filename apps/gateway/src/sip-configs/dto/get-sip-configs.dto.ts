import { IsOptional } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';

export class GetSipConfigsDto {
  @IsOptional()
  @IsQueryText('sipConfigID')
  sipConfigID?: string;

  @IsOptional()
  @IsQueryText('contactNumber', 16)
  contactNumber?: string;
}
