import { IsIn, IsOptional } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';
import { eventTypes, type EventType } from '../event-options.js';

export class GetEventSettingsDto {
  @IsOptional()
  @IsQueryText('eventsSettingID')
  eventsSettingID?: string;

  @IsOptional()
  @IsIn(eventTypes, { message: `type must be one of: ${eventTypes.join(', ')}.` })
  type?: EventType;
}
