import { ServiceError } from '@rtms/contracts';
import type { SettingsScope } from '../auth/settings-scope.js';
import { newID } from '../ids/new-id.js';
import type { EventOptionsDto } from './dto/event-options.dto.js';
import { defaultEventType, defaultOptions, type EventOptions } from './event-options.js';
import type { EventSetting } from './event-setting.entity.js';

/** A new record from what was sent; whatever was left out gets its default. */
export function makeEventSetting(scope: SettingsScope, dto: EventOptionsDto, now: Date): EventSetting {
  const options = { ...defaultOptions(dto.type ?? defaultEventType), ...sentOptions(dto) };
  return { id: newID('eset'), ...scope, ...requireConsistent(options), createdAt: now, updatedAt: now };
}

/** The columns that change; throws when the record would not make sense with them. */
export function changeEventSetting(row: EventOptions, dto: EventOptionsDto, now: Date): Partial<EventSetting> {
  const changes = sentOptions(dto);
  requireConsistent({ ...row, ...changes });
  return { ...changes, updatedAt: now };
}

/** null is the same as nothing, save for the one field that may be empty. */
function sentOptions(dto: EventOptionsDto): Partial<EventOptions> {
  const { translationConfigNickName } = dto;
  const options = {
    type: dto.type,
    audioSetting: dto.audioSetting,
    videoSetting: dto.videoSetting,
    screenshareSetting: dto.screenshareSetting,
    chatSetting: dto.chatSetting,
    targetResolution: dto.targetResolution,
    addCoHost: dto.addCoHost,
    enableAiNotes: dto.enableAiNotes,
  };
  const sent = Object.entries(options).filter(([, value]) => value !== undefined && value !== null);
  const changes = Object.fromEntries(sent) as Partial<EventOptions>;
  return translationConfigNickName === undefined ? changes : { ...changes, translationConfigNickName };
}

function requireConsistent<Options extends EventOptions>(options: Options): Options {
  if (!options.enableAiNotes || options.translationConfigNickName !== null) return options;
  throw new ServiceError('invalid_request', 'translationConfigNickName is required when enableAiNotes is true.');
}
