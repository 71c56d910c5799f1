import { IsOptional } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';

export class GetAgentsDto {
  @IsOptional()
  @IsQueryText('agentID')
  agentID?: string;

  @IsOptional()
  @IsQueryText('name', 128)
  name?: string;
}
