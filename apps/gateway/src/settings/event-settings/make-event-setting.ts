import {
  defaultEventOptions,
  defaultEventType,
  eventOptionNames,
  ServiceError,
  type EventOptions,
} from '@rtms/contracts';
import type { SettingsScope } from '../../platform/auth/auth.decorators.js';
import { sentChanges } from '../../platform/rows/own-row.js';
import { newID } from '../../platform/database/new-id.js';
import type { CreateEventSettingDto } from './event-setting.dto.js';
import type { EventSetting } from './event-setting.entity.js';

/** A new record from what was sent; whatever was left out gets its default. */
export function makeEventSetting(scope: SettingsScope, dto: CreateEventSettingDto, now: Date): EventSetting {
  const options = { ...defaultEventOptions(dto.type ?? defaultEventType), ...sentOptions(dto) };
  return { id: newID('eset'), ...scope, ...requireConsistent(options), createdAt: now, updatedAt: now };
}

/** The columns that change; throws when the record would not make sense with them. */
export function changeEventSetting(row: EventOptions, dto: CreateEventSettingDto, now: Date): Partial<EventSetting> {
  const changes = sentOptions(dto);
  requireConsistent({ ...row, ...changes });
  return { ...changes, updatedAt: now };
}

function sentOptions(dto: CreateEventSettingDto): Partial<EventOptions> {
  return sentChanges(dto as Partial<EventOptions>, eventOptionNames, ['translationConfigNickName']);
}

function requireConsistent<Options extends EventOptions>(options: Options): Options {
  if (!options.enableAiNotes || options.translationConfigNickName !== null) return options;
  throw new ServiceError('invalid_request', 'translationConfigNickName is required when enableAiNotes is true.');
}
