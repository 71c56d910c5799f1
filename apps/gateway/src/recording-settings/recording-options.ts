import { z } from 'zod';
import { count } from '../http/answers.js';
export const mediaOptions = ['video', 'audio'] as const;
export const audioOptions = ['all', 'onScreen', 'host'] as const;
export const videoOptions = ['all', 'mainScreen'] as const;
export const videoTypes = ['fullDisplay', 'bestDisplay', 'all'] as const;
export const displayTypes = ['video', 'media', 'all'] as const;
export const orientations = ['landscape', 'portrait', 'all'] as const;

/** `#rrggbb` */
const colour = z.string().regex(/^#[0-9A-Fa-f]{6}$/);

/** How rooms are recorded. */
export const recordingOptionsSchema = z
  .object({
    mediaOptions: z.enum(mediaOptions),
    audioOptions: z.enum(audioOptions),
    videoOptions: z.enum(videoOptions),
    videoType: z.enum(videoTypes),
    videoOptimized: z.boolean(),
    recordingDisplayType: z.enum(displayTypes),
    addHLS: z.boolean(),
    nameTags: z.boolean(),
    backgroundColor: colour,
    nameTagsColor: colour,
    orientation: z.enum(orientations),
    maxDurationSeconds: count,
    pausesLimit: count,
    retentionDays: count,
  })
  .meta({ id: 'RecordingOptions' });
export type RecordingOptions = z.infer<typeof recordingOptionsSchema>;

/** Least and most; the longest recording is that of the longest room. */
export const recordingBounds = {
  maxDurationSeconds: [60, 86_400],
  pausesLimit: [0, 100],
  retentionDays: [1, 3650],
} as const;

export const defaultRecordingOptions: Readonly<RecordingOptions> = {
  mediaOptions: 'video',
  audioOptions: 'all',
  videoOptions: 'all',
  videoType: 'fullDisplay',
  videoOptimized: false,
  recordingDisplayType: 'media',
  addHLS: false,
  nameTags: true,
  backgroundColor: '#000000',
  nameTagsColor: '#ffffff',
  orientation: 'landscape',
  maxDurationSeconds: 86_400,
  pausesLimit: 10,
  retentionDays: 30,
};
