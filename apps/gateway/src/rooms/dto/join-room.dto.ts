import { participantRoles, type ParticipantRole } from '@rtms/contracts';
import { IsIn, IsOptional, Length, Matches } from 'class-validator';
import { IsMeetingID } from './room-fields.decorators.js';

const userNameRule = { message: 'userName must be text of 1 to 64 characters.' };

export class JoinRoomDto {
  @IsMeetingID()
  meetingID!: string;

  @Matches(/\S/, userNameRule)
  @Length(1, 64, userNameRule)
  userName!: string;

  /** Needed when the room was created with one. */
  @IsOptional()
  @Length(5, 64, { message: 'secureCode must be text of 5 to 64 characters.' })
  secureCode?: string | null;

  @IsOptional()
  @IsIn(participantRoles, { message: `role must be one of: ${participantRoles.join(', ')}.` })
  role?: ParticipantRole | null;
}
