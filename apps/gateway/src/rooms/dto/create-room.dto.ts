import { IsBoolean, IsIn, IsOptional, Length, Matches } from 'class-validator';
import { eventTypes, type EventType } from '../../event-settings/event-options.js';
import { IsCapacity, IsDuration, IsMetadata } from './room-fields.decorators.js';

const visible = /\S/;
const hostNameRule = { message: 'userName must be text of 1 to 64 characters.' };
const roomNameRule = { message: 'roomName must be text of 1 to 64 characters.' };

export class CreateRoomDto {
  @Matches(visible, hostNameRule)
  @Length(1, 64, hostNameRule)
  userName!: string;

  @IsOptional()
  @IsDuration()
  duration?: number | null;

  @IsOptional()
  @IsCapacity()
  capacity?: number | null;

  @IsOptional()
  @IsIn(eventTypes, { message: `eventType must be one of: ${eventTypes.join(', ')}.` })
  eventType?: EventType | null;

  @IsOptional()
  @Matches(visible, roomNameRule)
  @Length(1, 64, roomNameRule)
  roomName?: string | null;

  @IsOptional()
  @Length(5, 64, { message: 'secureCode must be text of 5 to 64 characters.' })
  secureCode?: string | null;

  @IsOptional()
  @IsMetadata()
  metadata?: object | null;

  @IsOptional()
  @IsBoolean({ message: 'recordOnStart must be true or false.' })
  recordOnStart?: boolean | null;
}
