import { NoResponderError, RemoteError } from '@rtms/bus';
import { ServiceError, type NodeLease } from '@rtms/contracts';
import { requireNode } from './choose-node.js';
import type { NodeRegistry } from './node-registry.js';

const refusals = ['capacity_reached', 'controller_unavailable'];

/**
 * Tries nodes, best first, until one takes the work. Skips a node that died, filled up or began to drain since its last
 * lease. Any other failure is final, because the node may have begun the work.
 */
export async function tryNodes<Result>(
  choose: (excluded: ReadonlySet<string>) => NodeLease,
  attempt: (node: NodeLease) => Promise<Result>,
): Promise<Result> {
  const excluded = new Set<string>();
  let node = choose(excluded);
  for (;;) {
    try {
      return await attempt(node);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      node = chooseAnother(choose, excluded.add(node.nodeID), error);
    }
  }
}

type Composing = 'recordings' | 'broadcasts' | 'files';

/**
 * As `tryNodes`, with the least loaded transcoder first. `composing`: only transcoders that make such compositions. `onlyNodeID`: the only
 * node that has the files.
 */
export function tryTranscoders(
  nodes: NodeRegistry,
  attempt: (node: NodeLease) => Promise<void>,
  composing?: Composing,
  onlyNodeID?: string,
): Promise<void> {
  return tryNodes(excluded => requireNode(transcodersFor(nodes, composing, onlyNodeID), excluded), attempt);
}

/** Throws when `tryTranscoders` would find no transcoder: so nothing is stored for work that cannot start. */
export function requireTranscoder(nodes: NodeRegistry, composing?: Composing, onlyNodeID?: string): void {
  requireNode(transcodersFor(nodes, composing, onlyNodeID));
}

function transcodersFor(nodes: NodeRegistry, composing?: Composing, onlyNodeID?: string): NodeLease[] {
  const able = ableTranscoders(nodes, composing);
  if (onlyNodeID === undefined) return able;
  const only = able.filter(({ nodeID, draining }) => nodeID === onlyNodeID && !draining);
  if (only.length > 0) return only;
  throw new ServiceError(
    'controller_unavailable',
    'The node with the files does not answer, drains, or is older. Try again later.',
  );
}

function ableTranscoders(nodes: NodeRegistry, composing: Composing | undefined): NodeLease[] {
  const all = nodes.list('transcoder');
  if (composing === undefined) return all;
  const able = all.filter(({ composes = [] }) => composes.includes(composing));
  if (able.length > 0 || all.length === 0) return able;
  throw new ServiceError(
    'controller_unavailable',
    composing === 'files'
      ? 'No transcoder composes recordings. Update the transcoders.'
      : `No transcoder makes ${composing} of whole rooms. Update the transcoders, or name a source.`,
  );
}

function chooseAnother(choose: (excluded: ReadonlySet<string>) => NodeLease, excluded: Set<string>, error: unknown) {
  try {
    const node = choose(excluded);
    if (!excluded.has(node.nodeID)) return node;
  } catch {
    // The error of the last node says more than that no other node is left.
  }
  throw error;
}

function isRefusal(error: unknown): boolean {
  if (error instanceof NoResponderError) return true;
  return error instanceof RemoteError && refusals.includes(error.failure.reason);
}
