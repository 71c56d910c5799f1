import type { EventOptions } from '@rtms/contracts';
import { z } from 'zod';
import { identifier, recordTimes } from '../../platform/http/answers.js';
import { presentFields } from '../../platform/http/present.js';
import { eventOptionFields } from './event-options.js';
import type { EventSetting } from './event-setting.entity.js';

const fields = { ...eventOptionFields, ...recordTimes };

export const eventSettingSchema = z
  .object({ eventsSettingID: identifier('eset'), ...fields })
  .meta({ id: 'EventsSetting', description: 'Defaults of new rooms of one type.' });
export type PresentedEventSetting = z.infer<typeof eventSettingSchema>;

export function presentEventSetting(row: EventSetting): PresentedEventSetting {
  return { eventsSettingID: row.id, ...presentFields(fields, row) };
}

/** The options alone, as a room copies them. */
export function optionsOf(row: EventOptions): EventOptions {
  return presentFields(eventOptionFields, row);
}
