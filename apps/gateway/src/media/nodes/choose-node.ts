import { ServiceError, type NodeLease } from '@rtms/contracts';

/** `none`: every node drains or is excluded. `full`: the other nodes have no capacity left. */
type NodeChoice = { kind: 'chosen'; node: NodeLease } | { kind: 'full' } | { kind: 'none' };

/**
 * Chooses the node with the lowest load relative to its capacity, then the node with more free capacity. Last, the node ID
 * decides, so that all replicas of the gateway choose the same node.
 */
export function chooseNode(nodes: readonly NodeLease[], excluded: ReadonlySet<string> = new Set()): NodeChoice {
  const willing = nodes.filter(node => !node.draining && !excluded.has(node.nodeID));
  if (willing.length === 0) return { kind: 'none' };
  const [best] = willing.filter(hasRoom).sort(byLoad);
  return best === undefined ? { kind: 'full' } : { kind: 'chosen', node: best };
}

/**
 * Chooses nodes for many rooms. Each room counts as load of its node, because the lease does not include the room before
 * its viewers connect.
 */
export class NodeSpread {
  private readonly given = new Map<string, number>();

  constructor(private readonly list: () => readonly NodeLease[]) {}

  /** undefined: no node can take a room now. */
  choose(): NodeLease | undefined {
    const leases = this.list().map(lease => ({ ...lease, load: lease.load + (this.given.get(lease.nodeID) ?? 0) }));
    const choice = chooseNode(leases);
    if (choice.kind === 'full' && this.given.size > 0) {
      // Rooms without viewers do not fill a node, so the count starts again.
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

/** As `chooseNode`. Throws when it can choose no node. */
export function requireNode(nodes: readonly NodeLease[], excluded?: ReadonlySet<string>): NodeLease {
  const choice = chooseNode(nodes, excluded);
  switch (choice.kind) {
    case 'chosen':
      return choice.node;
    case 'full':
      throw new ServiceError('capacity_reached', 'All media workers are full. Try again later.');
    case 'none':
      throw noController();
    default:
      return choice satisfies never;
  }
}

export function noController(): ServiceError {
  return new ServiceError('controller_unavailable', 'No media worker can take this right now. Try again in a moment.');
}
