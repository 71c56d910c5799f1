import { IntersectionType, PartialType } from '@nestjs/swagger';
import { AiCredentialNameDto } from './ai-credential-name.dto.js';
import { CreateAiCredentialDto } from './create-ai-credential.dto.js';

/** Only what is sent changes. */
export class UpdateAiCredentialDto extends IntersectionType(AiCredentialNameDto, PartialType(CreateAiCredentialDto)) {}
