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

/**
 * Chooses a node for one of many rooms after the other. The rooms that it gave to a node count as load of the node, whose
 * lease tells nothing of them before their viewers come.
 */
export class NodeSpread {
  private readonly given = new Map<string, number>();

  constructor(private readonly list: () => readonly NodeLease[]) {}

  /** undefined: no node takes a room now. */
  choose(): NodeLease | undefined {
    const leases = this.list().map(lease => ({ ...lease, load: lease.load + (this.given.get(lease.nodeID) ?? 0) }));
    const choice = chooseNode(leases);
    if (choice.kind === 'full' && this.given.size > 0) {
      // Rooms without viewers fill no node: they count anew.
      this.given.clear();
      return this.choose();
    }
    if (choice.kind !== 'chosen') return undefined;
    const { nodeID } = choice.node;
    this.given.set(nodeID, (this.given.get(nodeID) ?? 0) + 1);
    return choice.node;
  }
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
