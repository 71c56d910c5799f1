import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsObject, IsOptional, Length, Matches, Max, Min } from 'class-validator';
import { eventTypes, type EventType } from '../../event-settings/event-options.js';
import { MaxJsonBytes } from './max-json-bytes.decorator.js';

const visible = /\S/;
const hostNameRule = { message: 'userName must be text of 1 to 64 characters.' };
const durationRule = { message: 'Duration must be a whole number of minutes from 1 to 1440.' };
const capacityRule = { message: 'Capacity must be a whole number of participants from 2 to 100000.' };
const roomNameRule = { message: 'roomName must be text of 1 to 64 characters.' };
const metadataRule = { message: 'metadata must be an object of at most 4 KiB.' };

export class CreateRoomDto {
  @Matches(visible, hostNameRule)
  @Length(1, 64, hostNameRule)
  userName!: string;

  @IsOptional()
  @Max(1440, durationRule)
  @Min(1, durationRule)
  @IsInt(durationRule)
  duration?: number | null;

  @IsOptional()
  @Max(100_000, capacityRule)
  @Min(2, capacityRule)
  @IsInt(capacityRule)
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
  @MaxJsonBytes(4096, metadataRule)
  @IsObject(metadataRule)
  // Kept as it was sent: the names in it are the caller's own.
  @Transform(({ obj }: { obj: CreateRoomDto }) => obj.metadata)
  metadata?: object | null;

  @IsOptional()
  @IsBoolean({ message: 'recordOnStart must be true or false.' })
  recordOnStart?: boolean | null;
}
