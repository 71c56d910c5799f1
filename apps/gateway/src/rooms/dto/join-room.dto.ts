import { participantRoles, type ParticipantRole } from '@rtms/contracts';
import { IsIn, IsOptional, Length } from 'class-validator';
import { Told } from '../../fields/told.decorator.js';
import { IsText } from '../../fields/text.decorator.js';
import { IsMeetingID } from './room-fields.decorators.js';

export class JoinRoomDto {
  @IsMeetingID()
  meetingID!: string;

  @IsText('userName', 1, 64)
  userName!: string;

  /** Needed when the room was created with one. */
  @IsOptional()
  @Length(5, 64, { message: 'secureCode must be text of 5 to 64 characters.' })
  secureCode?: string | null;

  @IsOptional()
  @IsIn(participantRoles, { message: `role must be one of: ${participantRoles.join(', ')}.` })
  role?: ParticipantRole | null;

  @Told('Takes the same place as before. Needs `ticket`; userName, role and secureCode do not change anything then.')
  @IsOptional()
  @Length(1, 64, { message: 'participantID must be the identifier of a participant.' })
  participantID?: string | null;

  @Told('The `join.token` that this participant got before.')
  @IsOptional()
  @Length(1, 4096, { message: 'ticket must be the join token of the participant.' })
  ticket?: string | null;
}
