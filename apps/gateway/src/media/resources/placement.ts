import type { Fact, NodeLease } from '@rtms/contracts';
import type { MediaResource } from './media-resource.entity.js';

/** The node, and the start of that node, that holds a resource. */
export interface Placement {
  nodeID: string | null;
  /** null: no node holds the resource now. */
  nodeEpoch: number | null;
  /** The sequence number of the last fact from this start of the node. */
  factSequence: number;
}

/** A fact counts only from the start of the node that holds the resource, and only once. */
export function isCurrent(placement: Placement, fact: Fact): boolean {
  return (
    fact.nodeID === placement.nodeID && fact.epoch === placement.nodeEpoch && fact.sequence > placement.factSequence
  );
}

type PlacementColumns = Placement & Pick<MediaResource, 'placedAt'>;

/** The columns of a resource that a node takes over. Its facts count from the first one on. */
export function placedOn({ nodeID, epoch }: Pick<NodeLease, 'nodeID' | 'epoch'>, now: Date): PlacementColumns {
  return { nodeID, nodeEpoch: epoch, placedAt: now, factSequence: 0 };
}

/** The columns of a new row of any media resource. No node holds it yet. */
export function makeMediaRow(
  id: string,
  { accountID, meetingID }: Pick<MediaResource, 'accountID' | 'meetingID'>,
  now: Date,
): MediaResource {
  return {
    id,
    accountID,
    meetingID,
    nodeID: null,
    nodeEpoch: null,
    placedAt: now,
    factSequence: 0,
    graceUntil: null,
    createdAt: now,
    activatedAt: null,
    endedAt: null,
    endReason: null,
  };
}

/** The times of a decision. The caller brings the clock. */
export interface FactTiming {
  /** When the fact happened. */
  at: Date;
  /** When the gateway applies the fact. Grace time counts from here, so a late fact does not shorten it. */
  now: Date;
  graceMs: number;
}

/** The effect of a fact on a row: the columns that change, and the effect on other resources. */
export interface RowChange<Row, Effect extends string> {
  set: Partial<Row>;
  effect: Effect;
}

export function graceEnd({ now, graceMs }: Pick<FactTiming, 'now' | 'graceMs'>): Date {
  return new Date(now.getTime() + graceMs);
}
