import { IsOptional } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';

export class GetDisposableKeysDto {
  @IsOptional()
  @IsQueryText('keyID')
  keyID?: string;
}
