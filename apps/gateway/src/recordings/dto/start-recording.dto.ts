import { IsOptional, Length } from 'class-validator';

/** Either of the two sources. */
export class StartRecordingDto {
  @Length(1, 64, { message: 'meetingID must be the identifier of a room.' })
  meetingID!: string;

  @IsOptional()
  @Length(1, 64, { message: 'sourceSessionID must be the identifier of an external session.' })
  sourceSessionID?: string | null;

  @IsOptional()
  @Length(1, 64, { message: 'sourceParticipantID must be the identifier of a participant.' })
  sourceParticipantID?: string | null;
}
