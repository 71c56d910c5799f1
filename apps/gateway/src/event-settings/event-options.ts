import { chatPermissions, eventTypes, permissions, targetResolutions, type EventOptions } from '@rtms/contracts';
import { z } from 'zod';

const permission = z.enum(permissions);

export const eventOptionsSchema = z
  .object({
    type: z.enum(eventTypes),
    audioSetting: permission,
    videoSetting: permission,
    screenshareSetting: permission,
    chatSetting: z.enum(chatPermissions),
    targetResolution: z.enum(targetResolutions),
    addCoHost: z.boolean(),
    enableAiNotes: z.boolean(),
    translationConfigNickName: z.string().nullable(),
  } satisfies Record<keyof EventOptions, z.ZodType>)
  .meta({ id: 'EventOptions' });
