import type { SfuInventory } from '@rtms/contracts';
import type { Broadcast } from '../broadcasts/broadcast.entity.js';
import { chooseNode } from '../nodes/choose-node.js';
import { broadcastHolding } from './find-homeless.js';
import type { NodeView } from './holding.js';
import { viewOf, type Snapshot } from './snapshot.js';

/** A room and the node that it is to leave. */
export interface LeavingRoom {
  meetingID: string;
  nodeID: string;
}

/** Rooms on nodes that are drained which another node can take at once, because no external session is live in them. */
export function findLeaving({ sfus, sessions }: Pick<Snapshot, 'sfus' | 'sessions'>): LeavingRoom[] {
  if (chooseNode(sfus.map(({ lease }) => lease)).kind !== 'chosen') return [];
  const isLive = ({ meetingID, nodeID }: LeavingRoom) =>
    sessions.some(row => row.meetingID === meetingID && row.nodeID === nodeID && row.state === 'active');
  return sfus
    .filter(({ lease }) => lease.draining)
    .flatMap(quietRoomsOf)
    .filter(room => !isLive(room));
}

/** Broadcasts on transcoders that are drained which another one can go on with. */
export function findLeavingBroadcasts(snapshot: Snapshot): Broadcast[] {
  const { broadcasts, transcoders } = snapshot;
  if (chooseNode(transcoders.map(({ lease }) => lease)).kind !== 'chosen') return [];
  const isDraining = ({ nodeID }: Broadcast) => viewOf(transcoders, nodeID)?.lease.draining;
  return broadcasts.filter(row => isDraining(row) && broadcastHolding(snapshot, row) === 'held');
}

function quietRoomsOf({ lease: { nodeID }, inventory }: NodeView<SfuInventory>): LeavingRoom[] {
  const isLive = (meetingID: string) =>
    inventory?.sessions.some(session => session.meetingID === meetingID && session.state === 'active');
  return (inventory?.meetingIDs ?? []).filter(each => !isLive(each)).map(meetingID => ({ meetingID, nodeID }));
}
