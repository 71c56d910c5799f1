import { defaultRecordingOptions } from '@rtms/contracts';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { idOf, queryText } from '../../platform/http/fields.js';
import { recordingOptionFields } from './recording-options.js';

/** Absent fields take their defaults. */
export class CreateRecordingSettingDto extends Dto(optional(recordingOptionFields, defaultRecordingOptions)) {}

/** Absent fields stay the same. The identifier is not needed: an owner has one record at most. */
export class UpdateRecordingSettingDto extends Dto(
  optional({ ...recordingOptionFields, recordingSettingID: idOf('recording settings') }),
) {}

export class GetRecordingSettingsDto extends Dto(optionalQuery({ recordingSettingID: queryText() })) {}
