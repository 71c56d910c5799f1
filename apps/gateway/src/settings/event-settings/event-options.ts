import { chatPermissions, eventTypes, permissions, targetResolutions, type EventOptions } from '@rtms/contracts';
import { z } from 'zod';
import { flag, oneOf, text } from '../../platform/http/fields.js';

const permission = oneOf(permissions);

export const eventOptionFields = {
  type: oneOf(eventTypes).describe('The room type that the settings apply to.'),
  audioSetting: permission.describe('Whether participants may send audio.'),
  videoSetting: permission.describe('Whether participants may send video.'),
  screenshareSetting: permission.describe('Whether participants may share their screen.'),
  chatSetting: oneOf(chatPermissions).describe('Whether participants may send chat messages.'),
  targetResolution: oneOf(targetResolutions).describe('Greatest resolution of video.'),
  addCoHost: flag.describe('Whether the host may appoint co-hosts.'),
  enableAiNotes: flag.describe('Whether AI notes are taken. `true` requires translationConfigNickName.'),
  translationConfigNickName: text(1, 64)
    .nullable()
    .meta({ description: 'Nickname of the translation configuration for AI notes.', examples: ['main-notes'] }),
} satisfies Record<keyof EventOptions, z.ZodType>;

export const eventOptionsSchema = z
  .object(eventOptionFields)
  .meta({ id: 'EventOptions', description: 'Permissions and options of a room.' });
