import { ServiceError, type Operation } from '@rtms/contracts';
import { beyond } from '../auth/granted-operations.js';
import type { Caller, KeyType } from '../auth/caller.js';
import { isWithin } from '../domains/host-name.js';

/** What a key can do, as far as it can be wider or narrower than another. */
export interface KeyReach {
  type: KeyType;
  operations: readonly Operation[];
  domains: readonly string[] | null;
  expiresAt: Date | null;
}

type Holder = Pick<Caller, 'keyKind' | 'keyType' | 'operations' | 'domains' | 'expiresAt'>;

/**
 * What of a key would go beyond the one that makes or changes it, in words; undefined when nothing does. No key
 * gives operations that it does not have; a disposable key also neither its type, its domains nor its time away.
 */
export function widerThan(reach: KeyReach, holder: Holder): string | undefined {
  const missing = beyond(reach.operations, holder.operations);
  if (missing.length > 0) return `This key cannot grant what it is not granted itself: ${missing.join(', ')}.`;
  if (holder.keyKind !== 'disposable') return undefined;
  if (reach.type !== holder.keyType) return `A disposable ${holder.keyType} key can only make keys of its own type.`;
  if (isLongerThan(reach.expiresAt, holder.expiresAt)) return 'A disposable key cannot make keys that outlive it.';
  return leavesDomains(reach.domains, holder.domains) ? 'A disposable key cannot leave its own domains.' : undefined;
}

function isLongerThan(end: Date | null, limit: Date | null): boolean {
  if (limit === null) return false;
  return end === null || end > limit;
}

function leavesDomains(domains: readonly string[] | null, limit: readonly string[] | null): boolean {
  if (limit === null) return false;
  return domains === null || domains.some(domain => !isWithin(domain, limit));
}

/** FORBIDDEN, `operation_not_granted`, when the key would be wider than the one of the caller. */
export function requireNotWider(reach: KeyReach, holder: Holder): void {
  const problem = widerThan(reach, holder);
  if (problem !== undefined) throw new ServiceError('operation_not_granted', problem);
}
