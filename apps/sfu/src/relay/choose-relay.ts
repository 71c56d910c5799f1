import type { NodeLoad } from '@rtms/contracts';
import { tracksOfViewer } from '../media/consumer-budget.js';

/**
 * The nodes that may serve a room's next viewer, the best first: one that the room's tracks are piped to already, then
 * the one with the lowest share of its capacity in use.
 */
export function rankRelays(nodes: readonly NodeLoad[], isPipedTo: (nodeID: string) => boolean): NodeLoad[] {
  const rank = ({ nodeID }: NodeLoad): number => (isPipedTo(nodeID) ? 1 : 0);
  const share = ({ load, capacity }: NodeLoad): number => load / capacity;
  return nodes
    .filter(({ draining, load, capacity }) => !draining && capacity - load >= tracksOfViewer)
    .sort((a, b) => rank(b) - rank(a) || share(a) - share(b) || a.nodeID.localeCompare(b.nodeID));
}
