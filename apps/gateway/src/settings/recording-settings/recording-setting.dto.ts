import {
  colourForm,
  defaultRecordingOptions,
  recordingBounds,
  recordingChoices,
  type RecordingOptions,
} from '@rtms/contracts';
import { z } from 'zod';
import { identifier, recordTimes } from '../../platform/http/answers.js';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { flag, idOf, matching, oneOf, queryText, whole } from '../../platform/http/fields.js';
import { presentFields } from '../../platform/http/present.js';
import type { RecordingSetting } from './recording-setting.entity.js';

const colour = matching(colourForm, 'must be a colour such as #1a2b3c.').meta({ examples: ['#1a2b3c'] });

function bounded(field: keyof typeof recordingBounds, unit: string) {
  const [min, max] = recordingBounds[field];
  return whole(min, max, unit);
}

export const recordingOptionFields = {
  mediaOptions: oneOf(recordingChoices.mediaOptions).describe('Media to record.'),
  audioOptions: oneOf(recordingChoices.audioOptions).describe('Audio sources of a layout.'),
  videoOptions: oneOf(recordingChoices.videoOptions).describe('Video sources of a layout.'),
  videoType: oneOf(recordingChoices.videoType).describe('Kind of video in a layout.'),
  videoOptimized: flag.describe('Whether the layout is optimized for video.'),
  recordingDisplayType: oneOf(recordingChoices.recordingDisplayType).describe('Arrangement of a layout.'),
  addHLS: flag.describe('Whether a layout is also written as HLS.'),
  nameTags: flag.describe('Whether a layout shows names.'),
  backgroundColor: colour.describe('Background colour of a layout.'),
  nameTagsColor: colour.describe('Colour of names in a layout.'),
  orientation: oneOf(recordingChoices.orientation).describe('Orientation of a layout.'),
  maxDurationSeconds: bounded('maxDurationSeconds', 'seconds').describe('A recording ends after this time.'),
  pausesLimit: bounded('pausesLimit', 'pauses').describe('Greatest number of pauses of a recording.'),
  retentionDays: bounded('retentionDays', 'days').describe('Days until the file of a recording is deleted.'),
} satisfies Record<keyof RecordingOptions, z.ZodType>;

/** Absent fields take their defaults. */
export class CreateRecordingSettingDto extends Dto(optional(recordingOptionFields, defaultRecordingOptions)) {}

/** Absent fields stay the same. The identifier is optional, because an owner has at most one record. */
export class UpdateRecordingSettingDto extends Dto(
  optional({ ...recordingOptionFields, recordingSettingID: idOf('recording settings') }),
) {}

export class GetRecordingSettingsDto extends Dto(optionalQuery({ recordingSettingID: queryText() })) {}

const fields = { ...recordingOptionFields, ...recordTimes };

export const recordingSettingSchema = z
  .object({ recordingSettingID: identifier('rset'), ...fields })
  .meta({ id: 'RecordingSetting', description: 'Recording settings of the account or of a sub-user.' });
export type PresentedRecordingSetting = z.infer<typeof recordingSettingSchema>;

export function presentRecordingSetting(row: RecordingSetting): PresentedRecordingSetting {
  return { recordingSettingID: row.id, ...presentFields(fields, row) };
}
