import { IntersectionType, PartialType } from '@nestjs/mapped-types';
import { Told } from '../../fields/told.decorator.js';
import { AiCredentialNameDto } from './ai-credential-name.dto.js';
import { CreateAiCredentialDto } from './create-ai-credential.dto.js';

/** Only what is sent changes. */
export class UpdateAiCredentialDto extends IntersectionType(AiCredentialNameDto, PartialType(CreateAiCredentialDto)) {
  @Told('With another host the apiKey must be given again: the stored one is never sent to a new host.')
  override baseUrl?: string | null;
}
