import type { SfuInventory, TranscoderInventory } from '@rtms/contracts';
import {
  closePlayback,
  closeRoom,
  closeSession,
  handOverBroadcast,
  stopBroadcast,
  stopRecording,
  type WorkerCommand,
} from '../media-commands/worker-command.js';
import type { Placement } from '../media/placement.js';
import type { NodeView } from './holding.js';
import type { Snapshot } from './snapshot.js';

type Row = Placement & { id: string };

/** Commands that close what workers have and the database says is ended, elsewhere, or was never there. */
export function findOrphans(snapshot: Snapshot): WorkerCommand[] {
  return [
    ...snapshot.transcoders.flatMap(view => orphansOfTranscoder(snapshot, view)),
    ...snapshot.sfus.flatMap(view => orphansOfSfu(snapshot, view)),
  ];
}

function orphansOfTranscoder(snapshot: Snapshot, { lease, inventory }: NodeView<TranscoderInventory>): WorkerCommand[] {
  const { nodeID } = lease;
  const broadcasts = (inventory?.broadcasts ?? [])
    .filter(({ broadcastID }) => !belongs(snapshot.broadcasts, broadcastID, nodeID))
    .flatMap(({ broadcastID }) => leaveBroadcast(snapshot, { id: broadcastID, nodeID }));
  const recordings = (inventory?.recordings ?? [])
    .filter(({ recordingID, state }) => state !== 'processing' && !belongs(snapshot.recordings, recordingID, nodeID))
    .flatMap(({ recordingID }) => stopRecording({ id: recordingID, nodeID }));
  return [...broadcasts, ...recordings];
}

/** It lives on at another node, of which this one did not hear: then its playlists must not say that it is over. */
function leaveBroadcast({ broadcasts }: Snapshot, row: { id: string; nodeID: string }): WorkerCommand[] {
  const isElsewhere = broadcasts.some(({ id, nodeID }) => id === row.id && nodeID !== null);
  return isElsewhere ? handOverBroadcast(row) : stopBroadcast(row);
}

function orphansOfSfu(snapshot: Snapshot, { lease, inventory }: NodeView<SfuInventory>): WorkerCommand[] {
  const { nodeID } = lease;
  const playbacks = (inventory?.playbacks ?? [])
    .filter(({ playbackID }) => !belongs(snapshot.playbacks, playbackID, nodeID))
    .flatMap(({ playbackID }) => closePlayback({ id: playbackID, nodeID }));
  const rooms = (inventory?.meetingIDs ?? []).filter(meetingID => isNotHere(snapshot, meetingID, nodeID));
  const sessions = (inventory?.sessions ?? [])
    .filter(({ sessionID, meetingID }) => !rooms.includes(meetingID) && !belongs(snapshot.sessions, sessionID, nodeID))
    .flatMap(({ sessionID }) => closeSession({ id: sessionID, nodeID }));
  return [...playbacks, ...sessions, ...rooms.flatMap(meetingID => closeRoom({ meetingID, nodeID }))];
}

/** The room has ended, or another node has it: then its signalling must not be answered here either. */
function isNotHere({ runningMeetings, sessions }: Snapshot, meetingID: string, nodeID: string): boolean {
  if (!runningMeetings.has(meetingID)) return true;
  const placed = sessions.filter(row => row.meetingID === meetingID && row.nodeID !== null);
  return placed.length > 0 && placed.every(row => row.nodeID !== nodeID);
}

function belongs(rows: readonly Row[], id: string, nodeID: string): boolean {
  return rows.some(row => row.id === id && row.nodeID === nodeID);
}
