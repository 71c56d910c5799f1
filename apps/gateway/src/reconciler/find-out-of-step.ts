import { inTurns } from '../background/in-turns.js';
import type { Broadcast } from '../broadcasts/broadcast.entity.js';
import { resumeBroadcast, type WorkerCommand } from '../media-commands/worker-command.js';
import { broadcastHolding } from './find-homeless.js';
import { viewOf, type SeenSession, type Snapshot } from './snapshot.js';

/** Broadcasts that do not follow their source because a command or a fact came too late or never. */
export interface OutOfStep {
  /** Sources that are lost though their broadcasts are not interrupted. */
  interruptedSources: string[];
  resume: WorkerCommand[];
}

export async function findOutOfStep(snapshot: Snapshot): Promise<OutOfStep> {
  const interruptedSources = new Set<string>();
  const resume: WorkerCommand[] = [];
  await inTurns(snapshot.broadcasts.values(), row => {
    if (broadcastHolding(snapshot, row) !== 'held') return;
    const source = sourceOf(snapshot, row);
    if (row.state !== 'interrupted' && source?.state === 'pending') interruptedSources.add(source.id);
    if (waits(snapshot, row) && source?.state === 'active') resume.push(...resumeOn(row, source));
  });
  return { interruptedSources: [...interruptedSources], resume };
}

function waits({ transcoders }: Snapshot, row: Broadcast): boolean {
  const job = viewOf(transcoders, row.nodeID)?.holdings?.broadcasts.get(row.id);
  return row.state === 'interrupted' && job?.state === 'interrupted';
}

function resumeOn(row: Broadcast, { nodeID }: SeenSession): WorkerCommand[] {
  return nodeID === null ? [] : resumeBroadcast(row, { sfuNodeID: nodeID, onlyIf: 'interrupted' });
}

function sourceOf({ sessions }: Snapshot, { sourceSessionID }: Broadcast): SeenSession | undefined {
  return sourceSessionID === null ? undefined : sessions.get(sourceSessionID);
}
