export const eventTypes = ['conference', 'webinar', 'broadcast', 'chat'] as const;
export type EventType = (typeof eventTypes)[number];

export const permissions = ['allow', 'approval', 'disallow'] as const;
export type Permission = (typeof permissions)[number];

export const chatPermissions = ['allow', 'disallow'] as const;
export type ChatPermission = (typeof chatPermissions)[number];

export const targetResolutions = ['sd', 'hd', 'fhd', 'qhd', 'QnHD'] as const;
export type TargetResolution = (typeof targetResolutions)[number];

/** What participants may do in a room of a type; each room keeps a copy of what was in force when it was created. */
export interface EventOptions {
  type: EventType;
  audioSetting: Permission;
  videoSetting: Permission;
  screenshareSetting: Permission;
  chatSetting: ChatPermission;
  /** At most. */
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
