import { eventTypes, type EventType } from '@rtms/contracts';
import { Default } from '../../fields/default.decorator.js';
import { IsBoolean, IsIn, IsOptional, Length } from 'class-validator';
import { IsText } from '../../fields/text.decorator.js';
import { IsCapacity, IsDuration, IsMetadata } from './room-fields.decorators.js';

/** `duration` is in minutes. */
export const roomDefaults = { duration: 60, capacity: 20, recordOnStart: false };

export class CreateRoomDto {
  @IsText('userName', 1, 64)
  userName!: string;

  @IsOptional()
  @IsDuration()
  @Default(roomDefaults.duration)
  duration?: number | null;

  @IsOptional()
  @IsCapacity()
  @Default(roomDefaults.capacity)
  capacity?: number | null;

  @IsOptional()
  @IsIn(eventTypes, { message: `eventType must be one of: ${eventTypes.join(', ')}.` })
  eventType?: EventType | null;

  @IsOptional()
  @IsText('roomName', 1, 64)
  roomName?: string | null;

  @IsOptional()
  @Length(5, 64, { message: 'secureCode must be text of 5 to 64 characters.' })
  secureCode?: string | null;

  @IsOptional()
  @IsMetadata()
  metadata?: object | null;

  @IsOptional()
  @IsBoolean({ message: 'recordOnStart must be true or false.' })
  @Default(roomDefaults.recordOnStart)
  recordOnStart?: boolean | null;
}
