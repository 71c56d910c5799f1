import type { NodeLease } from '@rtms/contracts';
import { inTurns } from '../../platform/jobs/in-turns.js';
import type { Broadcast } from '../resources/broadcast.entity.js';
import { chooseNode } from '../nodes/choose-node.js';
import type { SeenRestream } from '../restreams/restream-lifecycle.service.js';
import { broadcastHolding, restreamHolding } from './find-homeless.js';
import type { NodeView } from './holding.js';
import { viewOf, type SfuHoldings, type Snapshot, type SeenPlayback, type SeenSession } from './snapshot.js';

/** A room and the node that it must leave. */
interface LeavingRoom {
  meetingID: string;
  nodeID: string;
}

/** The key of a room on a node. */
export function placeOf({ meetingID, nodeID }: { meetingID: string; nodeID: string | null }): string {
  return `${meetingID} ${nodeID}`;
}

/** The places where nodes hold an active session, so that a publisher sends there. */
async function livePlaces(sfus: Iterable<NodeView<SfuHoldings>>): Promise<Set<string>> {
  const live = new Set<string>();
  for (const { lease, holdings } of sfus) {
    await inTurns(holdings?.sessions.values() ?? [], ({ meetingID, state }) => {
      if (state === 'active') live.add(placeOf({ meetingID, nodeID: lease.nodeID }));
    });
  }
  return live;
}

/** Rooms on draining nodes that can move at once, because no external session is active in them. */
export async function findLeaving({ sfus, sessions }: Pick<Snapshot, 'sfus' | 'sessions'>): Promise<LeavingRoom[]> {
  const drained = [...sfus.values()].filter(({ lease }) => lease.draining);
  if (drained.length === 0 || chooseNode([...sfus.values()].map(({ lease }) => lease)).kind !== 'chosen') return [];
  const live = await livePlaces(drained);
  await inTurns(sessions.values(), row => {
    if (row.state === 'active') live.add(placeOf(row));
  });
  const leaving: LeavingRoom[] = [];
  for (const { lease, holdings } of drained) {
    const { nodeID } = lease;
    await inTurns(holdings?.meetingIDs ?? [], meetingID => {
      if (!live.has(placeOf({ meetingID, nodeID }))) leaving.push({ meetingID, nodeID });
    });
  }
  return leaving;
}

/**
 * Broadcasts on draining transcoders that other transcoders can continue, up to their free capacity. A broadcast without
 * its source stays until the source is back.
 */
export async function findLeavingBroadcasts(snapshot: Snapshot): Promise<Broadcast[]> {
  const { broadcasts, transcoders } = snapshot;
  const room = roomOnOthers(snapshot);
  const leaving: Broadcast[] = [];
  await inTurns(broadcasts.values(), row => {
    const isDraining = viewOf(transcoders, row.nodeID)?.lease.draining === true;
    if (!isDraining || row.state === 'interrupted' || leaving.length >= room) return;
    if (broadcastHolding(snapshot, row) === 'held') leaving.push(row);
  });
  return leaving;
}

/**
 * Restreams on draining transcoders whose sessions send media, and restreams whose broadcasts are on another transcoder. They need
 * little of the capacity of other transcoders.
 */
export async function findLeavingRestreams(snapshot: Snapshot): Promise<SeenRestream[]> {
  const { restreams, sessions, transcoders } = snapshot;
  const hasRoom = roomOnOthers(snapshot) > 0;
  const leaving: SeenRestream[] = [];
  await inTurns(restreams.values(), row => {
    const isDraining = viewOf(transcoders, row.nodeID)?.lease.draining === true;
    const isSending = sessions.get(row.sourceSessionID ?? '')?.state === 'active';
    const mustLeave = row.sourceBroadcastID === null ? hasRoom && isDraining && isSending : hasStrayed(snapshot, row);
    if (mustLeave && restreamHolding(snapshot, row) === 'held') leaving.push(row);
  });
  return leaving;
}

function hasStrayed({ broadcasts }: Snapshot, row: SeenRestream): boolean {
  const source = broadcasts.get(row.sourceBroadcastID ?? '');
  return source?.state === 'active' && source.nodeEpoch !== null && source.nodeID !== row.nodeID;
}

function roomOnOthers({ transcoders }: Snapshot): number {
  return [...transcoders.values()].reduce((sum, { lease }) => sum + roomOn(lease), 0);
}

function roomOn({ draining, capacity, load }: NodeLease): number {
  return draining ? 0 : Math.max(0, Math.floor(capacity - load));
}

/** A room that was moved while its node was cut off from the bus, and whose publishers still send there. */
export interface ReturnedRoom {
  meetingID: string;
  nodeID: string;
  epoch: number;
  sessions: SeenSession[];
  /** The playbacks that the node still holds. */
  playbacks: SeenPlayback[];
}

/**
 * Finds rooms that return to a node that was cut off from the bus: a publisher still sends there, and no publisher has
 * connected to the new node.
 */
export async function findReturned({ sfus, sessions, playbacks }: Snapshot): Promise<ReturnedRoom[]> {
  const found = new Map<string, ReturnedRoom>();
  for (const { lease, holdings } of sfus.values()) {
    if (!holdings) continue;
    const { nodeID } = lease;
    const { epoch } = holdings;
    await inTurns(holdings.sessions.values(), ({ sessionID, meetingID, state }) => {
      const row = sessions.get(sessionID);
      const isAway = row?.state === 'pending' && (row.nodeID !== nodeID || row.nodeEpoch !== epoch);
      if (state !== 'active' || !isAway) return;
      const room = { meetingID, nodeID, epoch, sessions: [], playbacks: [] };
      if (!found.has(meetingID)) found.set(meetingID, room);
    });
  }
  if (found.size === 0) return [];
  await inTurns(sessions.values(), row => void found.get(row.meetingID)?.sessions.push(row));
  await inTurns(playbacks.values(), row => {
    const room = found.get(row.meetingID);
    if (room && sfus.get(room.nodeID)?.holdings?.playbacks.has(row.id)) room.playbacks.push(row);
  });
  const busy = await livePlaces(sfus.values());
  return [...found.values()].filter(room => isFree(room, busy));
}

/** Whether no publisher uses the room on another node, by the database or by that node. */
function isFree({ meetingID, nodeID, sessions }: ReturnedRoom, busy: ReadonlySet<string>): boolean {
  const others = new Set(sessions.map(row => row.nodeID).filter(each => each !== null && each !== nodeID));
  return (
    sessions.every(({ state }) => state === 'pending') &&
    [...others].every(other => !busy.has(placeOf({ meetingID, nodeID: other })))
  );
}
