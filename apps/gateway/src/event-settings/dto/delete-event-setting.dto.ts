import { eventTypes, type EventType } from '@rtms/contracts';
import { IsIn, IsOptional, Length } from 'class-validator';

/** One of the two; the identifier counts when both are sent. */
export class DeleteEventSettingDto {
  @IsOptional()
  @Length(1, 64, { message: 'eventsSettingID must be the identifier of event settings.' })
  eventsSettingID?: string | null;

  @IsOptional()
  @IsIn(eventTypes, { message: `type must be one of: ${eventTypes.join(', ')}.` })
  type?: EventType | null;
}
