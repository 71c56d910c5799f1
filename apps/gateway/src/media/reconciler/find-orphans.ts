import { inTurns } from '../../platform/jobs/in-turns.js';
import {
  closePlayback,
  closeRoom,
  closeSession,
  handOverBroadcast,
  stopBroadcast,
  stopRecording,
  stopRestream,
  type WorkerCommand,
} from '../../platform/workers/worker-command.js';
import type { Placement } from '../resources/placement.js';
import type { NodeView } from './holding.js';
import type { SfuHoldings, Snapshot, TranscoderHoldings } from './snapshot.js';

type Placed = ReadonlyMap<string, Pick<Placement, 'nodeID'>>;

/** Commands that close resources on nodes when the database has them as ended, on another node, or not at all. */
export async function findOrphans(snapshot: Snapshot): Promise<WorkerCommand[]> {
  const commands: WorkerCommand[][] = [];
  for (const view of snapshot.transcoders.values()) commands.push(await orphansOfTranscoder(snapshot, view));
  for (const view of snapshot.sfus.values()) commands.push(await orphansOfSfu(snapshot, view));
  return commands.flat();
}

async function orphansOfTranscoder(
  snapshot: Snapshot,
  { lease: { nodeID }, holdings }: NodeView<TranscoderHoldings>,
): Promise<WorkerCommand[]> {
  const commands: WorkerCommand[] = [];
  if (!holdings) return commands;
  await inTurns(holdings.broadcasts.keys(), id => {
    if (!belongs(snapshot.broadcasts, id, nodeID)) commands.push(...leaveBroadcast(snapshot, { id, nodeID }));
  });
  await inTurns(holdings.restreams.keys(), id => {
    if (!belongs(snapshot.restreams, id, nodeID)) commands.push(...stopRestream({ id, nodeID }));
  });
  await inTurns(holdings.recordings.values(), ({ recordingID: id, state }) => {
    const isOver = state !== 'processing' && !belongs(snapshot.recordings, id, nodeID);
    if (isOver) commands.push(...stopRecording({ id, nodeID }));
  });
  return commands;
}

/** Hands over a broadcast that continues on another node, so that its playlists do not end. */
function leaveBroadcast({ broadcasts }: Snapshot, row: { id: string; nodeID: string }): WorkerCommand[] {
  const home = broadcasts.get(row.id)?.nodeID ?? null;
  return home === null ? stopBroadcast(row) : handOverBroadcast(row);
}

async function orphansOfSfu(
  snapshot: Snapshot,
  { lease: { nodeID }, holdings }: NodeView<SfuHoldings>,
): Promise<WorkerCommand[]> {
  const commands: WorkerCommand[] = [];
  if (!holdings) return commands;
  const rooms = new Set<string>();
  await inTurns(holdings.meetingIDs, meetingID => {
    if (isNotHere(snapshot, meetingID, nodeID)) rooms.add(meetingID);
  });
  await inTurns(holdings.playbacks.keys(), id => {
    if (!belongs(snapshot.playbacks, id, nodeID)) commands.push(...closePlayback({ id, nodeID }));
  });
  await inTurns(holdings.sessions.values(), ({ sessionID: id, meetingID }) => {
    const isOver = !rooms.has(meetingID) && !belongs(snapshot.sessions, id, nodeID);
    if (isOver) commands.push(...closeSession({ id, nodeID }));
  });
  await inTurns(rooms, meetingID => void commands.push(...closeRoom({ meetingID, nodeID })));
  return commands;
}

/** Whether the room has ended or another node holds it. This node must then stop answering its signalling. */
function isNotHere({ endedMeetings, homesOfRooms }: Snapshot, meetingID: string, nodeID: string): boolean {
  if (endedMeetings.has(meetingID)) return true;
  const homes = homesOfRooms.get(meetingID);
  return homes !== undefined && !homes.has(nodeID);
}

function belongs(rows: Placed, id: string, nodeID: string): boolean {
  return rows.get(id)?.nodeID === nodeID;
}
