import { IsOptional } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';

export class GetSubUsersDto {
  @IsOptional()
  @IsQueryText('subUserID')
  subUserID?: string;
}
