import {
  chatPermissions,
  defaultEventOptions,
  defaultEventType,
  eventTypes,
  permissions,
  targetResolutions,
  type ChatPermission,
  type EventType,
  type Permission,
  type TargetResolution,
} from '@rtms/contracts';
import { Default } from '../../fields/default.decorator.js';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { IsText } from '../../fields/text.decorator.js';

const defaults = defaultEventOptions(defaultEventType);

function oneOf(field: string, values: readonly string[]): { message: string } {
  return { message: `${field} must be one of: ${values.join(', ')}.` };
}

/** The settings that `create` and `update` take. */
export class EventOptionsDto {
  @IsOptional()
  @IsIn(eventTypes, oneOf('type', eventTypes))
  @Default(defaults.type)
  type?: EventType | null;

  @IsOptional()
  @IsIn(permissions, oneOf('audioSetting', permissions))
  @Default(defaults.audioSetting)
  audioSetting?: Permission | null;

  @IsOptional()
  @IsIn(permissions, oneOf('videoSetting', permissions))
  @Default(defaults.videoSetting)
  videoSetting?: Permission | null;

  @IsOptional()
  @IsIn(permissions, oneOf('screenshareSetting', permissions))
  @Default(defaults.screenshareSetting)
  screenshareSetting?: Permission | null;

  @IsOptional()
  @IsIn(chatPermissions, oneOf('chatSetting', chatPermissions))
  @Default(defaults.chatSetting)
  chatSetting?: ChatPermission | null;

  @IsOptional()
  @IsIn(targetResolutions, oneOf('targetResolution', targetResolutions))
  @Default(defaults.targetResolution)
  targetResolution?: TargetResolution | null;

  @IsOptional()
  @IsBoolean({ message: 'addCoHost must be true or false.' })
  @Default(defaults.addCoHost)
  addCoHost?: boolean | null;

  @IsOptional()
  @IsBoolean({ message: 'enableAiNotes must be true or false.' })
  @Default(defaults.enableAiNotes)
  enableAiNotes?: boolean | null;

  /** null: none. */
  @IsOptional()
  @IsText('translationConfigNickName', 1, 64)
  translationConfigNickName?: string | null;
}
