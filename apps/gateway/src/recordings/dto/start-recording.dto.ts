import { IsOptional, Length } from 'class-validator';

export class StartRecordingDto {
  @Length(1, 64, { message: 'meetingID must be the identifier of a room.' })
  meetingID!: string;

  /** Left out: the whole room is recorded. */
  @IsOptional()
  @Length(1, 64, { message: 'sourceSessionID must be the identifier of an external session.' })
  sourceSessionID?: string | null;
}
