import { IsOptional } from 'class-validator';
import { IsCapacity, IsDuration, IsMeetingID, IsMetadata } from './room-fields.decorators.js';

/** Whatever is left out stays. */
export class UpdateRoomDto {
  @IsMeetingID()
  meetingID!: string;

  /** From the room's creation on. */
  @IsOptional()
  @IsDuration()
  duration?: number | null;

  @IsOptional()
  @IsCapacity()
  capacity?: number | null;

  @IsOptional()
  @IsMetadata()
  metadata?: object | null;
}
