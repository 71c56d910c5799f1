import { IsOptional } from 'class-validator';
import { IsText } from '../../fields/text.decorator.js';

export class AgentReferenceDto {
  @IsOptional()
  @IsText('provider', 1, 128)
  provider?: string | null;

  @IsOptional()
  @IsText('model', 1, 128)
  model?: string | null;

  @IsOptional()
  @IsText('voice', 1, 128)
  voice?: string | null;

  @IsOptional()
  @IsText('transcriber', 1, 128)
  transcriber?: string | null;

  @IsOptional()
  @IsText('language', 1, 64)
  language?: string | null;
}
