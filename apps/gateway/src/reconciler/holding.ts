import type { NodeLease } from '@rtms/contracts';
import type { Placement } from '../media/placement.js';

/** A living node and what it answered when asked what it holds; undefined: it did not answer. */
export interface NodeView<Inventory> {
  lease: NodeLease;
  inventory: Inventory | undefined;
}

/**
 * `held`: the node has it. `lost`: the node is dead or another start of it, or no node has taken it over yet. `missing`: the node lives but has it
 * not, which can also mean that a command or a fact is on its way. `unknown`: nobody can say now.
 */
export type Holding = 'held' | 'lost' | 'missing' | 'unknown';

export function holdingOf<Inventory extends { epoch: number }>(
  row: Placement,
  view: NodeView<Inventory> | undefined,
  { isSettled, isIn }: { isSettled: boolean; isIn: (inventory: Inventory) => boolean },
): Holding {
  // A new row that is about to be placed; one that was taken from its node has only the epoch cleared.
  if (row.nodeID === null) return 'missing';
  if (row.nodeEpoch === null) return 'lost';
  if (!view) return isSettled ? 'lost' : 'unknown';
  if ((view.inventory?.epoch ?? view.lease.epoch) !== row.nodeEpoch) return 'lost';
  if (!view.inventory) return 'unknown';
  return isIn(view.inventory) ? 'held' : 'missing';
}
