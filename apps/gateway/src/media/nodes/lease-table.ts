import { leaseKey, type NodeLease, type NodeRole } from '@rtms/contracts';
import { LRUCache } from 'lru-cache';

export type NodeChange =
  | { kind: 'appeared'; node: NodeLease }
  | { kind: 'lost'; node: NodeLease }
  /** The same node ID with a new epoch: the node lost all its resources. */
  | { kind: 'restarted'; node: NodeLease }
  /** The node takes new work again, or no longer. */
  | { kind: 'willing' | 'draining'; node: NodeLease };

/** A compromised node can write leases with any name. */
const mostNodes = 1_000;

interface Entry {
  lease: NodeLease;
  /** In milliseconds of the caller's clock. */
  heardAt: number;
}

/** The living nodes by their leases. The caller brings the clock. */
export class LeaseTable {
  private readonly entries = new Map<string, Entry>();
  /** The last lease of each node that is gone, and of the former start of each node that restarted. */
  private readonly former = new LRUCache<string, Entry>({ max: mostNodes });

  constructor(private readonly ttlMs: number) {}

  announce(lease: NodeLease, now: number): NodeChange | undefined {
    const key = leaseKey(lease);
    const entry = this.entries.get(key);
    const known = entry?.lease;
    if (known && lease.epoch < known.epoch) return undefined;
    if (!known && this.entries.size >= mostNodes) return undefined;
    this.entries.set(key, { lease, heardAt: now });
    if (!known) return { kind: 'appeared', node: lease };
    if (lease.epoch === known.epoch) return willingness(known, lease);
    this.former.set(key, entry);
    return { kind: 'restarted', node: lease };
  }

  /** A node that stops in order deletes its lease. */
  withdraw(key: string): NodeChange | undefined {
    const entry = this.entries.get(key);
    this.entries.delete(key);
    if (entry) this.former.set(key, entry);
    return entry && { kind: 'lost', node: entry.lease };
  }

  expire(now: number): NodeChange[] {
    const lapsed = [...this.entries.entries()].filter(([, entry]) => now - entry.heardAt > this.ttlMs);
    return lapsed.map(([key, entry]) => {
      this.entries.delete(key);
      this.former.set(key, entry);
      return { kind: 'lost', node: entry.lease };
    });
  }

  /**
   * Nodes without a lease for `overdueMs`, while another node renewed its lease at least `aheadMs` later. If no node renews,
   * the fault may be the bus.
   */
  listOverdue(now: number, overdueMs: number, aheadMs: number): { node: NodeLease; heardAt: number }[] {
    const entries = [...this.entries.values()];
    const latest = Math.max(...entries.map(({ heardAt }) => heardAt));
    return entries
      .filter(({ heardAt }) => now - heardAt > overdueMs && latest - heardAt >= aheadMs)
      .map(({ lease, heardAt }) => ({ node: lease, heardAt }));
  }

  /** After an outage of the bus each node gets a full lease time to announce itself. */
  renewAll(now: number): void {
    for (const entry of this.entries.values()) entry.heardAt = now;
  }

  /** The time of the last lease of this start of the node; undefined when this table has none. */
  heardAt(role: NodeRole, nodeID: string, epoch: number): number | undefined {
    const key = leaseKey({ role, nodeID });
    const entries = [this.entries.get(key), this.former.get(key)];
    return entries.find(entry => entry?.lease.epoch === epoch)?.heardAt;
  }

  list(role?: NodeRole): NodeLease[] {
    const leases = [...this.entries.values()].map(entry => entry.lease);
    return role === undefined ? leases : leases.filter(lease => lease.role === role);
  }

  find(role: NodeRole, nodeID: string): NodeLease | undefined {
    return this.entries.get(leaseKey({ role, nodeID }))?.lease;
  }
}

function willingness(known: NodeLease, lease: NodeLease): NodeChange | undefined {
  if (lease.draining === known.draining) return undefined;
  return { kind: lease.draining ? 'draining' : 'willing', node: lease };
}
