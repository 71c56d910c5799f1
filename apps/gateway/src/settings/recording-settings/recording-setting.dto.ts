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
  mediaOptions: oneOf(recordingChoices.mediaOptions).describe('`audio`: only sound.'),
  audioOptions: oneOf(recordingChoices.audioOptions).describe(
    'Sound of a room: everybody, the sources `onScreen`, or hosts and co-hosts.',
  ),
  videoOptions: oneOf(recordingChoices.videoOptions).describe(
    'Picture of a room: `all` sources in a grid, or the `mainScreen`: the newest shared screen, else the speaker.',
  ),
  videoType: oneOf(recordingChoices.videoType).describe(
    '`fullDisplay`: a picture fills its tile, cropped. `bestDisplay`: the whole picture. `all`: also tiles without a picture.',
  ),
  videoOptimized: flag.describe('`true`: a room has 1080 lines, not 720.'),
  recordingDisplayType: oneOf(recordingChoices.recordingDisplayType).describe(
    'Pictures of a room: cameras and external sessions (`video`); shared screens and external sessions if there are any (`media`); or `all`.',
  ),
  addHLS: flag.describe('Whether recordings are also stored as HLS, see `hlsUrl`.'),
  nameTags: flag.describe('Whether the pictures of a room show names.'),
  backgroundColor: colour.describe('Colour between the pictures of a room.'),
  nameTagsColor: colour.describe('Colour of the names.'),
  orientation: oneOf(recordingChoices.orientation).describe(
    'Shape of a room’s picture: 16:9, 9:16, or square (`all`).',
  ),
  maxDurationSeconds: bounded('maxDurationSeconds', 'seconds').describe('A recording ends after this time.'),
  pausesLimit: bounded('pausesLimit', 'pauses').describe(
    'A recording ends if its source is lost, or its room becomes empty, more often.',
  ),
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
