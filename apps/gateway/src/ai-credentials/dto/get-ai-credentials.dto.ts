import { IsIn, IsOptional, IsString } from 'class-validator';
import { aiKinds, type AiKind } from '../ai-credential.entity.js';

export class GetAiCredentialsDto {
  @IsOptional()
  @IsString({ message: 'aiCredentialID must be given once.' })
  aiCredentialID?: string;

  @IsOptional()
  @IsString({ message: 'nickName must be given once.' })
  nickName?: string;

  @IsOptional()
  @IsIn(aiKinds, { message: `kind must be one of: ${aiKinds.join(', ')}.` })
  kind?: AiKind;
}
