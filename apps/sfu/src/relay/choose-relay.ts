import type { NodeLoad } from '@rtms/contracts';
import { tracksOfViewer } from '../media/admission.js';

/**
 * Ranks the nodes that can serve a room's next viewer, best first: nodes that already receive the room's tracks, then by
 * the used share of their capacity.
 */
export function rankRelays(nodes: readonly NodeLoad[], isPipedTo: (nodeID: string) => boolean): NodeLoad[] {
  const rank = ({ nodeID }: NodeLoad): number => (isPipedTo(nodeID) ? 1 : 0);
  const share = ({ load, capacity }: NodeLoad): number => load / capacity;
  return nodes
    .filter(({ draining, load, capacity }) => !draining && capacity - load >= tracksOfViewer)
    .sort((a, b) => rank(b) - rank(a) || share(a) - share(b) || a.nodeID.localeCompare(b.nodeID));
}
