import { IsIn, IsOptional, IsString } from 'class-validator';
import { recordingStates, type RecordingState } from '../recording.entity.js';

export class GetRecordingsDto {
  @IsOptional()
  @IsString({ message: 'recordingID must be given once.' })
  recordingID?: string;

  @IsOptional()
  @IsString({ message: 'meetingID must be given once.' })
  meetingID?: string;

  @IsOptional()
  @IsIn(recordingStates, { message: `state must be one of: ${recordingStates.join(', ')}.` })
  state?: RecordingState;
}
