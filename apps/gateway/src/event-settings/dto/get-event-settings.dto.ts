import { eventTypes, type EventType } from '@rtms/contracts';
import { IsIn, IsOptional } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';

export class GetEventSettingsDto {
  @IsOptional()
  @IsQueryText('eventsSettingID')
  eventsSettingID?: string;

  @IsOptional()
  @IsIn(eventTypes, { message: `type must be one of: ${eventTypes.join(', ')}.` })
  type?: EventType;
}
