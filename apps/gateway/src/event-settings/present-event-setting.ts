import type { EventOptions } from '@rtms/contracts';
import { z } from 'zod';
import { identifier, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import { eventOptionsSchema } from './event-options.js';
import type { EventSetting } from './event-setting.entity.js';

/** A record of event settings as callers see it. */
export const eventSettingSchema = z
  .object({
    eventsSettingID: identifier('eset'),
    ...eventOptionsSchema.shape,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'EventsSetting' });
export type PresentedEventSetting = z.infer<typeof eventSettingSchema>;

export function presentEventSetting(row: EventSetting): PresentedEventSetting {
  return {
    eventsSettingID: row.id,
    ...optionsOf(row),
    createdAt: presentTime(row.createdAt),
    updatedAt: presentTime(row.updatedAt),
  };
}

/** The settings alone, as a room copies them. */
export function optionsOf(row: EventOptions): EventOptions {
  return {
    type: row.type,
    audioSetting: row.audioSetting,
    videoSetting: row.videoSetting,
    screenshareSetting: row.screenshareSetting,
    chatSetting: row.chatSetting,
    targetResolution: row.targetResolution,
    addCoHost: row.addCoHost,
    enableAiNotes: row.enableAiNotes,
    translationConfigNickName: row.translationConfigNickName,
  };
}
