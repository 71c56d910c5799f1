import { IsOptional, Length } from 'class-validator';
import { EventOptionsDto } from './event-options.dto.js';

/** Whatever is left out stays. With an identifier `type` is a change; without one it names the record. */
export class UpdateEventSettingDto extends EventOptionsDto {
  @IsOptional()
  @Length(1, 64, { message: 'eventsSettingID must be the identifier of event settings.' })
  eventsSettingID?: string | null;
}
