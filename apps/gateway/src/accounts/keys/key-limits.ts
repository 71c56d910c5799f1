import { ServiceError, type Operation } from '@rtms/contracts';
import { beyond } from '../../platform/auth/granted-operations.js';
import type { Caller, KeyType } from '../../platform/auth/caller.js';
import type { RoomBounds } from '../../platform/auth/room-bounds.js';
import { beyondBounds } from '../../platform/auth/room-bounds.js';
import { isWithin } from '../../platform/auth/host-name.js';

/** The limits of a key in which it can be wider or narrower than another key. */
export interface KeyReach extends RoomBounds {
  type: KeyType;
  operations: readonly Operation[];
  domains: readonly string[] | null;
  expiresAt: Date | null;
}

type Holder = Pick<Caller, 'keyKind' | 'keyType' | 'operations' | 'domains' | 'expiresAt' | 'meetingIDs' | 'maxRole'>;

/**
 * Returns the reason why a caller may not create or change a key like this; undefined when it may. No key can grant an operation or an
 * environment that it does not have. A disposable key also limits its keys to its own domains, rooms, role and expiry.
 */
export function widerThan(reach: KeyReach, holder: Holder): string | undefined {
  const missing = beyond(reach.operations, holder.operations);
  if (missing.length > 0) return `This key cannot grant operations that it does not have: ${missing.join(', ')}.`;
  const otherType = beyondEnvironment(reach.type, holder);
  if (otherType !== undefined) return otherType;
  if (holder.keyKind !== 'disposable') return undefined;
  const unbound = beyondBounds(reach, holder);
  if (unbound !== undefined) return unbound;
  if (isLongerThan(reach.expiresAt, holder.expiresAt))
    return 'A disposable key cannot create keys that expire after it.';
  return leavesDomains(reach.domains, holder.domains)
    ? 'A disposable key cannot create keys for other domains than its own.'
    : undefined;
}

/** Returns a reason when a key would create, change or revoke keys of the other environment. A dashboard user manages both environments. */
export function beyondEnvironment(
  type: KeyType,
  { keyKind, keyType }: Pick<Holder, 'keyKind' | 'keyType'>,
): string | undefined {
  if (keyKind === 'dashboard' || type === keyType) return undefined;
  return `A ${keyType} key cannot create, change or revoke ${type} keys. Use a ${type} key.`;
}

/** Throws FORBIDDEN, `operation_not_granted`, when the caller may not manage keys of this environment. */
export function requireOwnEnvironment(type: KeyType, holder: Pick<Holder, 'keyKind' | 'keyType'>): void {
  const problem = beyondEnvironment(type, holder);
  if (problem !== undefined) throw new ServiceError('operation_not_granted', problem);
}

function isLongerThan(end: Date | null, limit: Date | null): boolean {
  if (limit === null) return false;
  return end === null || end > limit;
}

function leavesDomains(domains: readonly string[] | null, limit: readonly string[] | null): boolean {
  if (limit === null) return false;
  return domains === null || domains.some(domain => !isWithin(domain, limit));
}

/** Throws FORBIDDEN, `operation_not_granted`, when the key would have more rights than the caller. */
export function requireNotWider(reach: KeyReach, holder: Holder): void {
  const problem = widerThan(reach, holder);
  if (problem !== undefined) throw new ServiceError('operation_not_granted', problem);
}

/** Throws FORBIDDEN, `operation_not_granted`, when the key has more rights than the key that changes or revokes it. */
export function requireWithinReach(reach: KeyReach, holder: Holder): void {
  requireOwnEnvironment(reach.type, holder);
  if (widerThan(reach, holder) === undefined) return;
  const message = 'A key cannot change or revoke a key with more rights than its own. Use a main key.';
  throw new ServiceError('operation_not_granted', message);
}
