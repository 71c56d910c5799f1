import { z } from 'zod';
import { identifier, recordTimes } from '../../platform/http/answers.js';
import { presentFields } from '../../platform/http/present.js';
import { recordingOptionFields } from './recording-options.js';
import type { RecordingSetting } from './recording-setting.entity.js';

const fields = { ...recordingOptionFields, ...recordTimes };

export const recordingSettingSchema = z
  .object({ recordingSettingID: identifier('rset'), ...fields })
  .meta({ id: 'RecordingSetting', description: 'Recording settings of the account or of a sub-user.' });
export type PresentedRecordingSetting = z.infer<typeof recordingSettingSchema>;

export function presentRecordingSetting(row: RecordingSetting): PresentedRecordingSetting {
  return { recordingSettingID: row.id, ...presentFields(fields, row) };
}
