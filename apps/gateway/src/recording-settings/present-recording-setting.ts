import { z } from 'zod';
import { identifier, time } from '../http/answers.js';
import { presentTime } from '../http/present.js';
import { recordingOptionsSchema } from './recording-options.js';
import type { RecordingSetting } from './recording-setting.entity.js';

/** A record of recording settings as callers see it. */
export const recordingSettingSchema = z
  .object({
    recordingSettingID: identifier('rset'),
    ...recordingOptionsSchema.shape,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'RecordingSetting' });
export type PresentedRecordingSetting = z.infer<typeof recordingSettingSchema>;

export function presentRecordingSetting(row: RecordingSetting): PresentedRecordingSetting {
  return {
    recordingSettingID: row.id,
    mediaOptions: row.mediaOptions,
    audioOptions: row.audioOptions,
    videoOptions: row.videoOptions,
    videoType: row.videoType,
    videoOptimized: row.videoOptimized,
    recordingDisplayType: row.recordingDisplayType,
    addHLS: row.addHLS,
    nameTags: row.nameTags,
    backgroundColor: row.backgroundColor,
    nameTagsColor: row.nameTagsColor,
    orientation: row.orientation,
    maxDurationSeconds: row.maxDurationSeconds,
    pausesLimit: row.pausesLimit,
    retentionDays: row.retentionDays,
    createdAt: presentTime(row.createdAt),
    updatedAt: presentTime(row.updatedAt),
  };
}
