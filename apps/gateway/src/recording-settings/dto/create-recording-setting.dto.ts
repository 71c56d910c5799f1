import { RecordingOptionsDto } from './recording-options.dto.js';

/** Whatever is left out takes its default. */
export class CreateRecordingSettingDto extends RecordingOptionsDto {}
