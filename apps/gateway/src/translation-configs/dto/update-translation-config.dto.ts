import { IntersectionType, PartialType } from '@nestjs/mapped-types';
import { TranslationConfigNameDto } from './translation-config-name.dto.js';
import { CreateTranslationConfigDto } from './create-translation-config.dto.js';

/** Only what is sent changes. */
export class UpdateTranslationConfigDto extends IntersectionType(
  TranslationConfigNameDto,
  PartialType(CreateTranslationConfigDto),
) {}
