import { colourForm, recordingChoices, type RecordingOptions } from '@rtms/contracts';
import { z } from 'zod';
import { count } from '../http/answers.js';

const colour = z.string().regex(colourForm);

export const recordingOptionsSchema = z
  .object({
    mediaOptions: z.enum(recordingChoices.mediaOptions),
    audioOptions: z.enum(recordingChoices.audioOptions),
    videoOptions: z.enum(recordingChoices.videoOptions),
    videoType: z.enum(recordingChoices.videoType),
    videoOptimized: z.boolean(),
    recordingDisplayType: z.enum(recordingChoices.recordingDisplayType),
    addHLS: z.boolean(),
    nameTags: z.boolean(),
    backgroundColor: colour,
    nameTagsColor: colour,
    orientation: z.enum(recordingChoices.orientation),
    maxDurationSeconds: count,
    pausesLimit: count,
    retentionDays: count,
  } satisfies Record<keyof RecordingOptions, z.ZodType>)
  .meta({ id: 'RecordingOptions' });
