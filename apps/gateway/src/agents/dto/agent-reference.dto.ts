import { agentBounds } from '@rtms/contracts';
import { IsOptional } from 'class-validator';
import { IsText } from '../../fields/text.decorator.js';

const bounds = agentBounds.reference;

export class AgentReferenceDto {
  @IsOptional()
  @IsText('provider', 1, bounds.provider)
  provider?: string | null;

  @IsOptional()
  @IsText('model', 1, bounds.model)
  model?: string | null;

  @IsOptional()
  @IsText('voice', 1, bounds.voice)
  voice?: string | null;

  @IsOptional()
  @IsText('transcriber', 1, bounds.transcriber)
  transcriber?: string | null;

  @IsOptional()
  @IsText('language', 1, bounds.language)
  language?: string | null;
}
