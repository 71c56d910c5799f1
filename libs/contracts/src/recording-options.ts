/** What each option of a recording may be. */
export const recordingChoices = {
  mediaOptions: ['video', 'audio'],
  audioOptions: ['all', 'onScreen', 'host'],
  videoOptions: ['all', 'mainScreen'],
  videoType: ['fullDisplay', 'bestDisplay', 'all'],
  recordingDisplayType: ['video', 'media', 'all'],
  orientation: ['landscape', 'portrait', 'all'],
} as const;
type Choices = typeof recordingChoices;

/** Least and most; the longest recording is that of the longest room. */
export const recordingBounds = {
  maxDurationSeconds: [60, 86_400],
  pausesLimit: [0, 100],
  retentionDays: [1, 3650],
} as const;

/** `#rrggbb` */
export const colourForm = /^#[0-9A-Fa-f]{6}$/;

/** How rooms are recorded. */
export type RecordingOptions = { [Name in keyof Choices]: Choices[Name][number] } & {
  [Name in keyof typeof recordingBounds]: number;
} & {
  videoOptimized: boolean;
  addHLS: boolean;
  nameTags: boolean;
  backgroundColor: string;
  nameTagsColor: string;
};

/** In force while an account has saved none. */
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
