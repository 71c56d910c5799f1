import { IsOptional, IsString } from 'class-validator';

export class GetRecordingSettingsDto {
  @IsOptional()
  @IsString({ message: 'recordingSettingID must be given once.' })
  recordingSettingID?: string;
}
