import { NoResponderError, RemoteError } from '@rtms/bus';
import type { NodeLease } from '@rtms/contracts';

const refusals = ['capacity_reached', 'controller_unavailable'];

/**
 * Tries nodes, best first, until one takes the work. A node that died a moment ago, or filled up or began to drain
 * since it last told its load, is passed over; any other failure is final, since the node may have begun.
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

function chooseAnother(choose: (excluded: ReadonlySet<string>) => NodeLease, excluded: Set<string>, error: unknown) {
  try {
    const node = choose(excluded);
    if (!excluded.has(node.nodeID)) return node;
  } catch {
    // What the last node said tells more than that there is no further one.
  }
  throw error;
}

function isRefusal(error: unknown): boolean {
  if (error instanceof NoResponderError) return true;
  return error instanceof RemoteError && refusals.includes(error.failure.reason);
}
