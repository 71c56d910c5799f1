import type { NodeLease } from '@rtms/contracts';

/** `none`: no node takes new work at all; `full`: some would, but none has room. */
export type NodeChoice = { kind: 'chosen'; node: NodeLease } | { kind: 'full' } | { kind: 'none' };

/**
 * The node with the lowest share of its capacity in use. Among equals the one with more room left, then the
 * one whose name sorts first, so that all replicas of the gateway decide alike.
 */
export function chooseNode(nodes: readonly NodeLease[], excluded: ReadonlySet<string> = new Set()): NodeChoice {
  const willing = nodes.filter(node => !node.draining && !excluded.has(node.nodeID));
  if (willing.length === 0) return { kind: 'none' };
  const [best] = willing.filter(hasRoom).sort(byLoad);
  return best === undefined ? { kind: 'full' } : { kind: 'chosen', node: best };
}

function hasRoom(node: NodeLease): boolean {
  return node.load < node.capacity;
}

function byLoad(a: NodeLease, b: NodeLease): number {
  const ratio = a.load / a.capacity - b.load / b.capacity;
  if (ratio !== 0) return ratio;
  const roomLeft = b.capacity - b.load - (a.capacity - a.load);
  if (roomLeft !== 0) return roomLeft;
  return a.nodeID < b.nodeID ? -1 : 1;
}
