import { IntersectionType, PartialType } from '@nestjs/mapped-types';
import { SipConfigNameDto } from './sip-config-name.dto.js';
import { CreateSipConfigDto } from './create-sip-config.dto.js';

/** Only what is sent changes. */
export class UpdateSipConfigDto extends IntersectionType(SipConfigNameDto, PartialType(CreateSipConfigDto)) {}
