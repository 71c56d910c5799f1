import { eventTypes, type EventType } from '@rtms/contracts';
import { IsIn, IsOptional } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';

const roomStates = ['active', 'ended'] as const;

export class GetRoomsDto {
  @IsOptional()
  @IsQueryText('meetingID')
  meetingID?: string;

  @IsOptional()
  @IsIn(roomStates, { message: 'state must be active or ended.' })
  state?: (typeof roomStates)[number];

  @IsOptional()
  @IsIn(eventTypes, { message: `eventType must be one of: ${eventTypes.join(', ')}.` })
  eventType?: EventType;

  @IsOptional()
  @IsQueryText('roomName')
  roomName?: string;
}
