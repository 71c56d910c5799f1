import {
  chatPermissions,
  defaultEventOptions,
  defaultEventType,
  eventTypes,
  permissions,
  targetResolutions,
  type EventOptions,
} from '@rtms/contracts';
import { z } from 'zod';
import { identifier, recordTimes } from '../../platform/http/answers.js';
import { Dto, optional, optionalQuery } from '../../platform/http/dto.js';
import { flag, idOf, oneOf, queryText, text } from '../../platform/http/fields.js';
import { presentFields } from '../../platform/http/present.js';
import type { EventSetting } from './event-setting.entity.js';

const permission = oneOf(permissions);

export const eventOptionFields = {
  type: oneOf(eventTypes).describe('The room type that the settings apply to.'),
  audioSetting: permission.describe('Whether participants may send audio.'),
  videoSetting: permission.describe('Whether participants may send video.'),
  screenshareSetting: permission.describe('Whether participants may share their screen.'),
  chatSetting: oneOf(chatPermissions).describe('Whether participants may send chat messages.'),
  targetResolution: oneOf(targetResolutions).describe('Greatest resolution of video.'),
  addCoHost: flag.describe('Whether the host may appoint co-hosts.'),
  enableAiNotes: flag.describe(
    'Whether AI notes are wanted. Stored only: the service takes none. `true` requires translationConfigNickName.',
  ),
  translationConfigNickName: text(1, 64)
    .nullable()
    .meta({ description: 'Nickname of the translation configuration for AI notes.', examples: ['main-notes'] }),
} satisfies Record<keyof EventOptions, z.ZodType>;

export const eventOptionsSchema = z
  .object(eventOptionFields)
  .meta({ id: 'EventOptions', description: 'Permissions and options of a room.' });

/** `type` and `eventsSettingID` name the record. */
const names = { eventsSettingID: idOf('event settings'), type: eventOptionFields.type };

/** Absent fields take their defaults. */
export class CreateEventSettingDto extends Dto(optional(eventOptionFields, defaultEventOptions(defaultEventType))) {}

/** Absent fields stay the same. With an identifier, `type` is a change; without one, it names the record. */
export class UpdateEventSettingDto extends Dto(optional({ ...eventOptionFields, ...names })) {}

/** One of the two fields is required. The identifier takes precedence. */
export class DeleteEventSettingDto extends Dto(optional(names)) {}

export class GetEventSettingsDto extends Dto(optionalQuery({ ...names, eventsSettingID: queryText() })) {}

const fields = { ...eventOptionFields, ...recordTimes };

export const eventSettingSchema = z
  .object({ eventsSettingID: identifier('eset'), ...fields })
  .meta({ id: 'EventsSetting', description: 'Defaults of new rooms of one type.' });
export type PresentedEventSetting = z.infer<typeof eventSettingSchema>;

export function presentEventSetting(row: EventSetting): PresentedEventSetting {
  return { eventsSettingID: row.id, ...presentFields(fields, row) };
}

/** Returns the options without the other columns, as a room copies them. */
export function optionsOf(row: EventOptions): EventOptions {
  return presentFields(eventOptionFields, row);
}
