import { IsOptional } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';

export class GetTranslationConfigsDto {
  @IsOptional()
  @IsQueryText('translationConfigID')
  translationConfigID?: string;

  @IsOptional()
  @IsQueryText('nickName')
  nickName?: string;
}
