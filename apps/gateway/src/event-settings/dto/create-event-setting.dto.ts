import { EventOptionsDto } from './event-options.dto.js';

/** Whatever is left out takes its default. */
export class CreateEventSettingDto extends EventOptionsDto {}
