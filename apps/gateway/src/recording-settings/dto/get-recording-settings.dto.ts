import { IsOptional } from 'class-validator';
import { IsQueryText } from '../../fields/query-text.decorator.js';

export class GetRecordingSettingsDto {
  @IsOptional()
  @IsQueryText('recordingSettingID')
  recordingSettingID?: string;
}
