import { IsIn, IsOptional, IsString } from 'class-validator';
import { eventTypes, type EventType } from '../event-options.js';

export class GetEventSettingsDto {
  @IsOptional()
  @IsString({ message: 'eventsSettingID must be given once.' })
  eventsSettingID?: string;

  @IsOptional()
  @IsIn(eventTypes, { message: `type must be one of: ${eventTypes.join(', ')}.` })
  type?: EventType;
}
