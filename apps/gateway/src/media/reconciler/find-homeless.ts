import { inTurns } from '../../platform/jobs/in-turns.js';
import type { Broadcast } from '../resources/broadcast.entity.js';
import type { Recording } from '../resources/recording.entity.js';
import type { SeenRestream } from '../restreams/restream-lifecycle.service.js';
import { holdingOf, type Holding } from './holding.js';
import {
  viewOf,
  type SeenPlayback,
  type SeenSession,
  type SfuHoldings,
  type Snapshot,
  type StoppedRecording,
} from './snapshot.js';
import { resumeBroadcast, resumeRestream, type WorkerCommand } from '../../platform/workers/worker-command.js';

/** Rows that have not ended and that no node holds. */
export interface Homeless {
  sessions: SeenSession[];
  playbacks: SeenPlayback[];
  broadcasts: Broadcast[];
  recordings: Recording[];
  restreams: SeenRestream[];
  /** Stopped recordings whose file no node makes. */
  stopped: StoppedRecording[];
}

/**
 * Finds rows that no node holds, first those of dead nodes. `missing`: the IDs of the other rows. A command for them may be on
 * its way.
 */
export async function findHomeless(snapshot: Snapshot): Promise<{ rows: Homeless; missing: string[] }> {
  const missing: string[] = [];
  const sort = async <Row extends { id: string }>(
    all: ReadonlyMap<string, Row>,
    holdingOfRow: (snapshot: Snapshot, row: Row) => Holding,
  ): Promise<Row[]> => {
    const found: Record<'lost' | 'missing', Row[]> = { lost: [], missing: [] };
    await inTurns(all.values(), row => {
      const holding = holdingOfRow(snapshot, row);
      if (holding === 'lost' || holding === 'missing') found[holding].push(row);
    });
    missing.push(...found.missing.map(({ id }) => id));
    return [...found.lost, ...found.missing];
  };
  const held = await heldRecordings(snapshot);
  const rows = {
    sessions: await sort(snapshot.sessions, sessionHolding),
    playbacks: await sort(snapshot.playbacks, playbackHolding),
    broadcasts: await sort(snapshot.broadcasts, broadcastHolding),
    recordings: await sort(snapshot.recordings, recordingHolding),
    restreams: await sort(snapshot.restreams, restreamHolding),
    // Another node may complete the recording of a lost one.
    stopped: await sort(snapshot.stopped, (_, row) => (held.has(row.id) ? 'held' : recordingHolding(snapshot, row))),
  };
  return { rows, missing };
}

/** The rows without those of the given IDs. */
export function withoutIDs(rows: Homeless, ids: ReadonlySet<string>): Homeless {
  const isLeft = ({ id }: { id: string }): boolean => !ids.has(id);
  return {
    sessions: rows.sessions.filter(isLeft),
    playbacks: rows.playbacks.filter(isLeft),
    broadcasts: rows.broadcasts.filter(isLeft),
    recordings: rows.recordings.filter(isLeft),
    restreams: rows.restreams.filter(isLeft),
    stopped: rows.stopped.filter(isLeft),
  };
}

function sessionHolding({ sfus, isSettled }: Snapshot, row: SeenSession): Holding {
  // An active row whose node waits for the publisher means that a fact was lost.
  const isIn = ({ sessions }: SfuHoldings): boolean => {
    const held = sessions.get(row.id);
    return held !== undefined && !(row.state === 'active' && held.state === 'pending');
  };
  return holdingOf(row, viewOf(sfus, row.nodeID), { isSettled, isIn });
}

function playbackHolding({ sfus, sessions, isSettled }: Snapshot, row: SeenPlayback): Holding {
  const source = sessions.get(row.sourceSessionID);
  if (source && row.nodeEpoch !== null && hasMoved(row, source)) return 'lost';
  return holdingOf(row, viewOf(sfus, row.nodeID), { isSettled, isIn: ({ playbacks }) => playbacks.has(row.id) });
}

function hasMoved(row: SeenPlayback, source: SeenSession): boolean {
  return source.nodeEpoch !== null && source.nodeID !== row.nodeID;
}

export function broadcastHolding({ transcoders, isSettled }: Snapshot, row: Broadcast): Holding {
  const view = viewOf(transcoders, row.nodeID);
  return holdingOf(row, view, { isSettled, isIn: ({ broadcasts }) => broadcasts.has(row.id) });
}

export function restreamHolding({ transcoders, isSettled }: Snapshot, row: SeenRestream): Holding {
  const view = viewOf(transcoders, row.nodeID);
  return holdingOf(row, view, { isSettled, isIn: ({ restreams }) => restreams.has(row.id) });
}

/** The recordings of all transcoders. */
async function heldRecordings({ transcoders }: Snapshot): Promise<Set<string>> {
  const held = new Set<string>();
  for (const { holdings } of transcoders.values())
    await inTurns(holdings?.recordings.keys() ?? [], id => void held.add(id));
  return held;
}

function recordingHolding({ transcoders, isSettled }: Snapshot, row: StoppedRecording): Holding {
  const view = viewOf(transcoders, row.nodeID);
  return holdingOf(row, view, { isSettled, isIn: ({ recordings }) => recordings.has(row.id) });
}

/** Broadcasts and restreams that do not follow their source, because a command or a fact was late or lost. */
interface OutOfStep {
  /** Lost sources whose broadcasts or restreams are not interrupted. */
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
  await inTurns(snapshot.restreams.values(), row => {
    if (restreamHolding(snapshot, row) !== 'held') return;
    if (row.sourceBroadcastID !== null) return void resume.push(...resumeWithBroadcast(snapshot, row));
    const source = snapshot.sessions.get(row.sourceSessionID ?? '');
    if (!source) return;
    if (row.state !== 'retrying' && source.state === 'pending') interruptedSources.add(source.id);
    if (source.state === 'active' && source.nodeID !== null && restreamWaits(snapshot, row))
      resume.push(...resumeRestream(row, { sfuNodeID: source.nodeID, onlyIf: 'interrupted' }));
  });
  return { interruptedSources: [...interruptedSources], resume };
}

function waits({ transcoders }: Snapshot, row: Broadcast): boolean {
  const job = viewOf(transcoders, row.nodeID)?.holdings?.broadcasts.get(row.id);
  return row.state === 'interrupted' && job?.state === 'interrupted';
}

function restreamWaits({ transcoders }: Snapshot, row: SeenRestream): boolean {
  const job = viewOf(transcoders, row.nodeID)?.holdings?.restreams.get(row.id);
  return job?.state === 'interrupted';
}

/** Its broadcast began again on the same transcoder. */
function resumeWithBroadcast(snapshot: Snapshot, row: SeenRestream): WorkerCommand[] {
  const source = snapshot.broadcasts.get(row.sourceBroadcastID ?? '');
  if (source?.state !== 'active' || source.nodeID !== row.nodeID || row.nodeID === null) return [];
  return restreamWaits(snapshot, row) ? resumeRestream(row, { sfuNodeID: row.nodeID, onlyIf: 'interrupted' }) : [];
}

function resumeOn(row: Broadcast, { nodeID }: SeenSession): WorkerCommand[] {
  return nodeID === null ? [] : resumeBroadcast(row, { sfuNodeID: nodeID, onlyIf: 'interrupted' });
}

function sourceOf({ sessions }: Snapshot, { sourceSessionID }: Broadcast): SeenSession | undefined {
  return sourceSessionID === null ? undefined : sessions.get(sourceSessionID);
}
