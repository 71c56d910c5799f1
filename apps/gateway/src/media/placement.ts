import type { Fact } from '@rtms/contracts';

/** Which start of which node holds a resource, and what was last heard of it there. */
export interface Placement {
  nodeID: string | null;
  /** null: nobody holds it now. */
  nodeEpoch: number | null;
  factSequence: number;
}

/** A fact counts only from the start of the node that holds the resource, and only once. */
export function isCurrent(placement: Placement, fact: Fact): boolean {
  return (
    fact.nodeID === placement.nodeID && fact.epoch === placement.nodeEpoch && fact.sequence > placement.factSequence
  );
}
