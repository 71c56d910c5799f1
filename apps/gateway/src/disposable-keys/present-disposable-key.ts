import type { KeyType } from '../auth/caller.js';
import type { Operation } from '../auth/operations.js';
import { presentTime } from '../http/present.js';
import type { DisposableKey } from './disposable-key.entity.js';
import type { OperationUsage } from './key-usage.service.js';

type DisposableKeyState = 'active' | 'expired' | 'revoked';

export interface PresentedDisposableKey {
  keyID: string;
  name: string;
  type: KeyType;
  validityDays: number | null;
  operations: Operation[];
  domains: string[] | null;
  maskedKey: string;
  state: DisposableKeyState;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
}

/** What the key was used for: one entry for each operation. */
interface PresentedUsage {
  operation: Operation;
  requestCount: number;
  lastUsedAt: string;
}

export type DetailedDisposableKey = PresentedDisposableKey & { usage: PresentedUsage[] };

export function presentDisposableKey(key: DisposableKey, now = new Date()): PresentedDisposableKey {
  return {
    keyID: key.id,
    name: key.name,
    type: key.type,
    validityDays: key.validityDays,
    operations: key.operations,
    domains: key.domains,
    maskedKey: key.maskedKey,
    state: stateOf(key, now),
    createdAt: presentTime(key.createdAt),
    expiresAt: presentTime(key.expiresAt),
    lastUsedAt: presentTime(key.lastUsedAt),
  };
}

export function presentDetailed(key: DisposableKey, usage: readonly OperationUsage[]): DetailedDisposableKey {
  const present = (each: OperationUsage) => ({ ...each, lastUsedAt: presentTime(each.lastUsedAt) });
  return { ...presentDisposableKey(key), usage: usage.map(present) };
}

function stateOf({ revokedAt, expiresAt }: DisposableKey, now: Date): DisposableKeyState {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'active';
}
