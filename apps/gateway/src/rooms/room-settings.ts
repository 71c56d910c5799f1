export const eventTypes = ['conference', 'webinar', 'broadcast', 'chat'] as const;
export type EventType = (typeof eventTypes)[number];

type Permission = 'allow' | 'approval' | 'disallow';

/** What participants may do in a room; a copy of what was in force when the room was created. */
export interface RoomSettings {
  type: EventType;
  audioSetting: Permission;
  videoSetting: Permission;
  screenshareSetting: Permission;
  chatSetting: 'allow' | 'disallow';
  targetResolution: 'sd' | 'hd' | 'fhd' | 'qhd' | 'QnHD';
  addCoHost: boolean;
  enableAiNotes: boolean;
}

export function defaultSettings(type: EventType): RoomSettings {
  return {
    type,
    audioSetting: 'allow',
    videoSetting: 'allow',
    screenshareSetting: 'allow',
    chatSetting: 'allow',
    targetResolution: 'hd',
    addCoHost: false,
    enableAiNotes: false,
  };
}
