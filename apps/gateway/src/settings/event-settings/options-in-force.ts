import { defaultEventOptions, defaultEventType, type EventOptions, type EventType } from '@rtms/contracts';
import type { SettingsScope } from '../../platform/auth/auth.decorators.js';
import { optionsOf } from './event-setting.dto.js';

/** A stored record, as far as the choice needs it. */
export type StoredOptions = EventOptions & { ownerID: string };

/**
 * What applies to a new room. `stored` are the records of the account and of the scope's owner: an owner's own
 * come before the account's, and these before the defaults.
 */
export function optionsInForce(
  stored: readonly StoredOptions[],
  { accountID, ownerID }: SettingsScope,
  wanted: EventType | undefined,
): EventOptions {
  const own = stored.filter(record => record.ownerID === ownerID);
  const shared = stored.filter(record => record.ownerID === accountID);
  const type = wanted ?? typeOf(own) ?? typeOf(shared) ?? defaultEventType;
  const record = [...own, ...shared].find(each => each.type === type);
  return record ? optionsOf(record) : defaultEventOptions(type);
}

/** The type of the only record; of several, the usual one when it is among them, else the first in the alphabet. */
function typeOf(records: readonly StoredOptions[]): EventType | undefined {
  const types = records.map(record => record.type).sort();
  return types.includes(defaultEventType) ? defaultEventType : types[0];
}
