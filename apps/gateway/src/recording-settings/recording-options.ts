export const mediaOptions = ['video', 'audio'] as const;
export const audioOptions = ['all', 'onScreen', 'host'] as const;
export const videoOptions = ['all', 'mainScreen'] as const;
export const videoTypes = ['fullDisplay', 'bestDisplay', 'all'] as const;
export const displayTypes = ['video', 'media', 'all'] as const;
export const orientations = ['landscape', 'portrait', 'all'] as const;

/** How rooms are recorded. */
export interface RecordingOptions {
  mediaOptions: (typeof mediaOptions)[number];
  audioOptions: (typeof audioOptions)[number];
  videoOptions: (typeof videoOptions)[number];
  videoType: (typeof videoTypes)[number];
  videoOptimized: boolean;
  recordingDisplayType: (typeof displayTypes)[number];
  addHLS: boolean;
  nameTags: boolean;
  /** `#rrggbb` */
  backgroundColor: string;
  /** `#rrggbb` */
  nameTagsColor: string;
  orientation: (typeof orientations)[number];
  maxDurationSeconds: number;
  pausesLimit: number;
  retentionDays: number;
}

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
