import type { NodeLease, RecordingJobState } from '@rtms/contracts';
import type { Placement } from '../resources/placement.js';

/** A living node and its inventory. `holdings` is undefined when the node did not answer. */
export interface NodeView<Holdings> {
  lease: NodeLease;
  holdings: Holdings | undefined;
}

/**
 * `held`: the node has the resource. `lost`: the node is dead or has restarted, or no node has taken the resource yet.
 * `missing`: the node lives without the resource; a command or a fact may be on its way. `unknown`: the node did not answer.
 */
export type Holding = 'held' | 'lost' | 'missing' | 'unknown';

export function holdingOf<Holdings extends { epoch: number }>(
  row: Pick<Placement, 'nodeID' | 'nodeEpoch'>,
  view: NodeView<Holdings> | undefined,
  { isSettled, isIn }: { isSettled: boolean; isIn: (holdings: Holdings) => boolean },
): Holding {
  // Only a new row has no node ID. A row that lost its node keeps the ID and has no epoch.
  if (row.nodeID === null) return 'missing';
  if (row.nodeEpoch === null) return 'lost';
  if (!view) return isSettled ? 'lost' : 'unknown';
  if ((view.holdings?.epoch ?? view.lease.epoch) !== row.nodeEpoch) return 'lost';
  if (!view.holdings) return 'unknown';
  return isIn(view.holdings) ? 'held' : 'missing';
}

/** The time since which each resource is missing on its node, in milliseconds. */
export type MissingSince = ReadonlyMap<string, number>;

/**
 * A command for a missing resource may be on its way. A resource counts as gone after it was missing for longer than a
 * command takes, until a node has it again.
 */
export function confirmMissing(
  missing: readonly string[],
  since: MissingSince,
  { now, patienceMs }: { now: number; patienceMs: number },
): { confirmed: Set<string>; since: MissingSince } {
  const next = new Map(missing.map(id => [id, since.get(id) ?? now]));
  const confirmed = missing.filter(id => now - (next.get(id) ?? now) >= patienceMs);
  return { confirmed: new Set(confirmed), since: next };
}

/** `away`: the source may come back. */
export type SourceStanding = 'sending' | 'away' | 'gone';
export type RecordingStep = 'interrupt' | 'resume' | 'end' | 'none';

/** Decides the command for a job that does not follow its source, because a command or a fact was late or lost. */
export function decideRecordingStep(job: RecordingJobState, source: SourceStanding): RecordingStep {
  if (job === 'processing') return 'none';
  if (source === 'gone') return 'end';
  if (source === 'away') return job === 'interrupted' ? 'none' : 'interrupt';
  return job === 'interrupted' ? 'resume' : 'none';
}
