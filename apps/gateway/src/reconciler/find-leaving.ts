import type { NodeLease } from '@rtms/contracts';
import { inTurns } from '../background/in-turns.js';
import type { Broadcast } from '../broadcasts/broadcast.entity.js';
import { chooseNode } from '../nodes/choose-node.js';
import { broadcastHolding } from './find-homeless.js';
import type { NodeView } from './holding.js';
import { viewOf, type SfuHoldings, type Snapshot } from './snapshot.js';

/** A room and the node that it is to leave. */
export interface LeavingRoom {
  meetingID: string;
  nodeID: string;
}

/** Names a room at a node. */
export function placeOf({ meetingID, nodeID }: { meetingID: string; nodeID: string | null }): string {
  return `${meetingID} ${nodeID}`;
}

/** The places in which nodes hold an active session: a publisher sends there. */
export async function livePlaces(sfus: Iterable<NodeView<SfuHoldings>>): Promise<Set<string>> {
  const live = new Set<string>();
  for (const { lease, holdings } of sfus) {
    await inTurns(holdings?.sessions.values() ?? [], ({ meetingID, state }) => {
      if (state === 'active') live.add(placeOf({ meetingID, nodeID: lease.nodeID }));
    });
  }
  return live;
}

/** Rooms on drained nodes that another node can take at once, because no external session is live in them. */
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
 * Broadcasts on drained transcoders that another one can continue: as many as there is room for. A broadcast whose
 * source is away stays until the source is back.
 */
export async function findLeavingBroadcasts(snapshot: Snapshot): Promise<Broadcast[]> {
  const { broadcasts, transcoders } = snapshot;
  const room = [...transcoders.values()].reduce((sum, { lease }) => sum + roomOn(lease), 0);
  const leaving: Broadcast[] = [];
  await inTurns(broadcasts.values(), row => {
    const isDraining = viewOf(transcoders, row.nodeID)?.lease.draining === true;
    if (!isDraining || row.state === 'interrupted' || leaving.length >= room) return;
    if (broadcastHolding(snapshot, row) === 'held') leaving.push(row);
  });
  return leaving;
}

function roomOn({ draining, capacity, load }: NodeLease): number {
  return draining ? 0 : Math.max(0, Math.floor(capacity - load));
}
