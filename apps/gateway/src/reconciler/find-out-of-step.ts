import type { Broadcast } from '../broadcasts/broadcast.entity.js';
import { resumeBroadcast, type WorkerCommand } from '../media-commands/worker-command.js';
import { broadcastHolding } from './find-homeless.js';
import { viewOf, type Snapshot } from './snapshot.js';

/** Broadcasts that do not follow their source because a command or a fact came too late or never. */
export interface OutOfStep {
  /** Sources that are lost though their broadcasts are not interrupted. */
  interruptedSources: string[];
  resume: WorkerCommand[];
}

export function findOutOfStep(snapshot: Snapshot): OutOfStep {
  const held = snapshot.broadcasts.filter(row => broadcastHolding(snapshot, row) === 'held');
  const pending = held.filter(row => row.state !== 'interrupted' && sourceOf(snapshot, row)?.state === 'pending');
  return {
    interruptedSources: [...new Set(pending.flatMap(row => row.sourceSessionID ?? []))],
    resume: held.filter(row => waits(snapshot, row)).flatMap(row => resumeOn(snapshot, row)),
  };
}

function waits(snapshot: Snapshot, row: Broadcast): boolean {
  const inventory = viewOf(snapshot.transcoders, row.nodeID)?.inventory;
  const job = inventory?.broadcasts.find(each => each.broadcastID === row.id);
  return row.state === 'interrupted' && job?.state === 'interrupted' && sourceOf(snapshot, row)?.state === 'active';
}

function resumeOn(snapshot: Snapshot, row: Broadcast): WorkerCommand[] {
  const nodeID = sourceOf(snapshot, row)?.nodeID;
  return nodeID ? resumeBroadcast(row, nodeID) : [];
}

function sourceOf({ sessions }: Snapshot, { sourceSessionID }: Broadcast) {
  return sessions.find(session => session.id === sourceSessionID);
}
