import type { NodeLease } from '@rtms/contracts';
import type { Placement } from '../media/placement.js';

/** A living node and what it holds by its own answer; undefined: the node did not answer. */
export interface NodeView<Holdings> {
  lease: NodeLease;
  holdings: Holdings | undefined;
}

/**
 * `held`: the node has the resource. `lost`: the node is dead or has restarted, or no node has taken the resource over yet.
 * `missing`: the node lives and does not have the resource; a command or a fact may still be on its way. `unknown`: nobody
 * can say now.
 */
export type Holding = 'held' | 'lost' | 'missing' | 'unknown';

export function holdingOf<Holdings extends { epoch: number }>(
  row: Pick<Placement, 'nodeID' | 'nodeEpoch'>,
  view: NodeView<Holdings> | undefined,
  { isSettled, isIn }: { isSettled: boolean; isIn: (holdings: Holdings) => boolean },
): Holding {
  // A new row that is about to be placed; one that was taken from its node has only the epoch cleared.
  if (row.nodeID === null) return 'missing';
  if (row.nodeEpoch === null) return 'lost';
  if (!view) return isSettled ? 'lost' : 'unknown';
  if ((view.holdings?.epoch ?? view.lease.epoch) !== row.nodeEpoch) return 'lost';
  if (!view.holdings) return 'unknown';
  return isIn(view.holdings) ? 'held' : 'missing';
}
