import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { IsText } from '../../fields/text.decorator.js';
import {
  chatPermissions,
  eventTypes,
  permissions,
  targetResolutions,
  type ChatPermission,
  type EventType,
  type Permission,
  type TargetResolution,
} from '../event-options.js';

function oneOf(field: string, values: readonly string[]): { message: string } {
  return { message: `${field} must be one of: ${values.join(', ')}.` };
}

/** The settings that `create` and `update` take. */
export class EventOptionsDto {
  @IsOptional()
  @IsIn(eventTypes, oneOf('type', eventTypes))
  type?: EventType | null;

  @IsOptional()
  @IsIn(permissions, oneOf('audioSetting', permissions))
  audioSetting?: Permission | null;

  @IsOptional()
  @IsIn(permissions, oneOf('videoSetting', permissions))
  videoSetting?: Permission | null;

  @IsOptional()
  @IsIn(permissions, oneOf('screenshareSetting', permissions))
  screenshareSetting?: Permission | null;

  @IsOptional()
  @IsIn(chatPermissions, oneOf('chatSetting', chatPermissions))
  chatSetting?: ChatPermission | null;

  @IsOptional()
  @IsIn(targetResolutions, oneOf('targetResolution', targetResolutions))
  targetResolution?: TargetResolution | null;

  @IsOptional()
  @IsBoolean({ message: 'addCoHost must be true or false.' })
  addCoHost?: boolean | null;

  @IsOptional()
  @IsBoolean({ message: 'enableAiNotes must be true or false.' })
  enableAiNotes?: boolean | null;

  /** null: none. */
  @IsOptional()
  @IsText('translationConfigNickName', 1, 64)
  translationConfigNickName?: string | null;
}
