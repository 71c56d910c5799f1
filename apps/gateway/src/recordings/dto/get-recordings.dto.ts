import { IsIn, IsOptional } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';
import type { RecordingState } from '@rtms/contracts';
import { recordingStates } from '../recording.entity.js';

export class GetRecordingsDto {
  @IsOptional()
  @IsQueryText('recordingID')
  recordingID?: string;

  @IsOptional()
  @IsQueryText('meetingID')
  meetingID?: string;

  @IsOptional()
  @IsIn(recordingStates, { message: `state must be one of: ${recordingStates.join(', ')}.` })
  state?: RecordingState;
}
