import {
  defaultEventOptions,
  defaultEventType,
  eventOptionNames,
  ServiceError,
  type EventOptions,
} from '@rtms/contracts';
import type { SettingsScope } from '../auth/settings-scope.js';
import { sentChanges } from '../database/sent-changes.js';
import { newID } from '../ids/new-id.js';
import type { EventOptionsDto } from './dto/event-options.dto.js';
import type { EventSetting } from './event-setting.entity.js';

/** A new record from what was sent; whatever was left out gets its default. */
export function makeEventSetting(scope: SettingsScope, dto: EventOptionsDto, now: Date): EventSetting {
  const options = { ...defaultEventOptions(dto.type ?? defaultEventType), ...sentOptions(dto) };
  return { id: newID('eset'), ...scope, ...requireConsistent(options), createdAt: now, updatedAt: now };
}

/** The columns that change; throws when the record would not make sense with them. */
export function changeEventSetting(row: EventOptions, dto: EventOptionsDto, now: Date): Partial<EventSetting> {
  const changes = sentOptions(dto);
  requireConsistent({ ...row, ...changes });
  return { ...changes, updatedAt: now };
}

function sentOptions(dto: EventOptionsDto): Partial<EventOptions> {
  return sentChanges(dto as Partial<EventOptions>, eventOptionNames, ['translationConfigNickName']);
}

function requireConsistent<Options extends EventOptions>(options: Options): Options {
  if (!options.enableAiNotes || options.translationConfigNickName !== null) return options;
  throw new ServiceError('invalid_request', 'translationConfigNickName is required when enableAiNotes is true.');
}
