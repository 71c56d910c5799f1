export const eventTypes = ['conference', 'webinar', 'broadcast', 'chat'] as const;
export type EventType = (typeof eventTypes)[number];

export const permissions = ['allow', 'approval', 'disallow'] as const;
export type Permission = (typeof permissions)[number];

export const chatPermissions = ['allow', 'disallow'] as const;
export type ChatPermission = (typeof chatPermissions)[number];

export const targetResolutions = ['sd', 'hd', 'fhd', 'qhd', 'QnHD'] as const;
export type TargetResolution = (typeof targetResolutions)[number];

/** Permissions of participants by event type. A room keeps a copy from its creation. */
export interface EventOptions {
  type: EventType;
  audioSetting: Permission;
  videoSetting: Permission;
  screenshareSetting: Permission;
  chatSetting: ChatPermission;
  /** Maximum resolution. */
  targetResolution: TargetResolution;
  addCoHost: boolean;
  enableAiNotes: boolean;
  translationConfigNickName: string | null;
}

export const defaultEventType: EventType = 'conference';

export function defaultEventOptions(type: EventType = defaultEventType): EventOptions {
  return {
    type,
    audioSetting: 'allow',
    videoSetting: 'allow',
    screenshareSetting: 'allow',
    chatSetting: 'allow',
    targetResolution: 'hd',
    addCoHost: false,
    enableAiNotes: false,
    translationConfigNickName: null,
  };
}

export const eventOptionNames = Object.keys(defaultEventOptions()) as (keyof EventOptions)[];

/** Allowed values of the recording options. */
export const recordingChoices = {
  mediaOptions: ['video', 'audio'],
  audioOptions: ['all', 'onScreen', 'host'],
  videoOptions: ['all', 'mainScreen'],
  videoType: ['fullDisplay', 'bestDisplay', 'all'],
  recordingDisplayType: ['video', 'media', 'all'],
  orientation: ['landscape', 'portrait', 'all'],
} as const;
type Choices = typeof recordingChoices;

/** Minimum and maximum. The longest recording lasts as long as the longest room. */
export const recordingBounds = {
  maxDurationSeconds: [60, 86_400],
  pausesLimit: [0, 100],
  retentionDays: [1, 3650],
} as const;

/** `#rrggbb` */
export const colourForm = /^#[0-9A-Fa-f]{6}$/;

/** Recording settings of an account. */
export type RecordingOptions = { [Name in keyof Choices]: Choices[Name][number] } & {
  [Name in keyof typeof recordingBounds]: number;
} & {
  videoOptimized: boolean;
  addHLS: boolean;
  nameTags: boolean;
  backgroundColor: string;
  nameTagsColor: string;
};

/** Defaults until an account saves its settings. */
export const defaultRecordingOptions: Readonly<RecordingOptions> = {
  mediaOptions: 'video',
  audioOptions: 'all',
  videoOptions: 'all',
  videoType: 'fullDisplay',
  videoOptimized: false,
  recordingDisplayType: 'all',
  addHLS: false,
  nameTags: true,
  backgroundColor: '#000000',
  nameTagsColor: '#ffffff',
  orientation: 'landscape',
  maxDurationSeconds: 86_400,
  pausesLimit: 10,
  retentionDays: 30,
};

/** Bounds of an agent's fields. Lengths are in code points. */
export const agentBounds = {
  name: 128,
  role: 128,
  instructions: 4096,
  firstMessage: 2000,
  responseGuidelines: 4096,
  webhookUrl: 2048,
  temperature: { min: 0, max: 1 },
  sessionMinutes: { min: 1, max: 120 },
  todo: { items: 100, characters: 512 },
  reference: { provider: 128, model: 128, voice: 128, transcriber: 128, language: 64 },
} as const;

/** Defaults of an agent's fields. */
export const agentDefaults = {
  instructions: '',
  firstMessage: null,
  speaksFirst: true,
  temperature: 0.7,
  responseGuidelines: null,
  maxSessionMinutes: 30,
  webhookUrl: null,
  todo: [],
  reference: {},
};
