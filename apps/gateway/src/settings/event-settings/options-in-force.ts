import { defaultEventOptions, defaultEventType, type EventOptions, type EventType } from '@rtms/contracts';
import type { SettingsScope } from '../../platform/auth/auth.decorators.js';
import { optionsOf } from './event-setting.dto.js';

/** The fields of a stored record that the choice needs. */
export type StoredOptions = EventOptions & { ownerID: string };

/**
 * Returns the options of a new room. `stored` has the records of the account and of the scope's owner. A record of the owner takes
 * precedence over a record of the account, and any record over the defaults.
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

/** Returns the type of the only record. Of several records, the default type takes precedence, else the first in the alphabet. */
function typeOf(records: readonly StoredOptions[]): EventType | undefined {
  const types = records.map(record => record.type).sort();
  return types.includes(defaultEventType) ? defaultEventType : types[0];
}
