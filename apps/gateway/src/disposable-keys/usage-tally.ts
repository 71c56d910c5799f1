import type { Operation } from '@rtms/contracts';

/** How often a key was used for an operation, and when last. */
export interface KeyUse {
  keyID: string;
  operation: Operation;
  requestCount: number;
  lastUsedAt: Date;
}

/** Uses that are not written down yet. */
export class UsageTally {
  private readonly byKey = new Map<string, Map<Operation, KeyUse>>();

  add(use: KeyUse): void {
    const uses = this.byKey.get(use.keyID) ?? new Map<Operation, KeyUse>();
    this.byKey.set(use.keyID, uses);
    const before = uses.get(use.operation);
    uses.set(use.operation, before ? together(before, use) : use);
  }

  /** What is taken is counted no more. */
  take(keyID: string): KeyUse[] {
    const uses = [...(this.byKey.get(keyID)?.values() ?? [])];
    this.byKey.delete(keyID);
    return uses;
  }

  takeAll(): KeyUse[] {
    return [...this.byKey.keys()].sort().flatMap(keyID => this.take(keyID));
  }
}

function together(one: KeyUse, other: KeyUse): KeyUse {
  const lastUsedAt = one.lastUsedAt > other.lastUsedAt ? one.lastUsedAt : other.lastUsedAt;
  return { ...one, requestCount: one.requestCount + other.requestCount, lastUsedAt };
}
