import { z } from 'zod';
export const eventTypes = ['conference', 'webinar', 'broadcast', 'chat'] as const;
export type EventType = (typeof eventTypes)[number];

export const permissions = ['allow', 'approval', 'disallow'] as const;
export type Permission = (typeof permissions)[number];

export const chatPermissions = ['allow', 'disallow'] as const;
export type ChatPermission = (typeof chatPermissions)[number];

export const targetResolutions = ['sd', 'hd', 'fhd', 'qhd', 'QnHD'] as const;
export type TargetResolution = (typeof targetResolutions)[number];

/** What participants may do in a room of a type; each room keeps a copy of what was in force when it was created. */
export const eventOptionsSchema = z
  .object({
    type: z.enum(eventTypes),
    audioSetting: z.enum(permissions),
    videoSetting: z.enum(permissions),
    screenshareSetting: z.enum(permissions),
    chatSetting: z.enum(chatPermissions),
    /** At most. */
    targetResolution: z.enum(targetResolutions),
    addCoHost: z.boolean(),
    enableAiNotes: z.boolean(),
    translationConfigNickName: z.string().nullable(),
  })
  .meta({ id: 'EventOptions' });
export type EventOptions = z.infer<typeof eventOptionsSchema>;

export const eventOptionNames = [
  'type',
  'audioSetting',
  'videoSetting',
  'screenshareSetting',
  'chatSetting',
  'targetResolution',
  'addCoHost',
  'enableAiNotes',
  'translationConfigNickName',
] as const satisfies (keyof EventOptions)[];

export const defaultEventType: EventType = 'conference';

export function defaultOptions(type: EventType): EventOptions {
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
