import { IsIn, IsOptional } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';
import { aiKinds, type AiKind } from '../ai-credential.entity.js';

export class GetAiCredentialsDto {
  @IsOptional()
  @IsQueryText('aiCredentialID')
  aiCredentialID?: string;

  @IsOptional()
  @IsQueryText('nickName')
  nickName?: string;

  @IsOptional()
  @IsIn(aiKinds, { message: `kind must be one of: ${aiKinds.join(', ')}.` })
  kind?: AiKind;
}
