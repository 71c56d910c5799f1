import { IsIn, IsObject, IsOptional } from 'class-validator';
import { IsHttpsURL } from '../../fields/https-url.decorator.js';
import { MaxJsonBytes } from '../../fields/max-json-bytes.decorator.js';
import { IsText } from '../../fields/text.decorator.js';
import { aiKinds, type AiKind } from '../ai-credential.entity.js';

const optionsRule = { message: 'options must be an object of at most 4 KiB.' };

export class CreateAiCredentialDto {
  @IsText('nickName', 1, 64)
  nickName!: string;

  @IsIn(aiKinds, { message: `kind must be one of: ${aiKinds.join(', ')}.` })
  kind!: AiKind;

  @IsText('provider', 1, 64)
  provider!: string;

  @IsOptional()
  @IsText('model', 1, 128)
  model?: string | null;

  @IsText('apiKey', 1, 4096)
  apiKey!: string;

  @IsOptional()
  @IsHttpsURL('baseUrl')
  baseUrl?: string | null;

  @IsOptional()
  @MaxJsonBytes(4096, optionsRule)
  @IsObject(optionsRule)
  options?: object | null;
}
