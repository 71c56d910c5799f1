import { IsIn, IsOptional, IsString } from 'class-validator';
import { eventTypes, type EventType } from '../../event-settings/event-options.js';

const roomStates = ['active', 'ended'] as const;

export class GetRoomsDto {
  @IsOptional()
  @IsString({ message: 'meetingID must be given once.' })
  meetingID?: string;

  @IsOptional()
  @IsIn(roomStates, { message: 'state must be active or ended.' })
  state?: (typeof roomStates)[number];

  @IsOptional()
  @IsIn(eventTypes, { message: `eventType must be one of: ${eventTypes.join(', ')}.` })
  eventType?: EventType;

  @IsOptional()
  @IsString({ message: 'roomName must be given once.' })
  roomName?: string;
}
