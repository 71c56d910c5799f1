import { IsOptional, Length } from 'class-validator';
import { RecordingOptionsDto } from './recording-options.dto.js';

/** Whatever is left out stays. */
export class UpdateRecordingSettingDto extends RecordingOptionsDto {
  /** Not needed, as there is one record at most. */
  @IsOptional()
  @Length(1, 64, { message: 'recordingSettingID must be the identifier of recording settings.' })
  recordingSettingID?: string | null;
}
