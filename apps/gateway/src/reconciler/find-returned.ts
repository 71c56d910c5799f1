import { inTurns } from '../background/in-turns.js';
import { livePlaces, placeOf } from './find-leaving.js';
import type { SeenPlayback, SeenSession, Snapshot } from './snapshot.js';

/** A room that was moved while its node could not be heard, and whose publishers still send there. */
export interface ReturnedRoom {
  meetingID: string;
  nodeID: string;
  epoch: number;
  sessions: SeenSession[];
  /** Those that the node still has. */
  playbacks: SeenPlayback[];
}

/**
 * Rooms that go back to a node that was cut off from the bus and never stopped: a publisher still sends there, and no
 * publisher has come to the new node yet.
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

/** No publisher has found the room at another node, by the database or by that node. */
function isFree({ meetingID, nodeID, sessions }: ReturnedRoom, busy: ReadonlySet<string>): boolean {
  const others = new Set(sessions.map(row => row.nodeID).filter(each => each !== null && each !== nodeID));
  return (
    sessions.every(({ state }) => state === 'pending') &&
    [...others].every(other => !busy.has(placeOf({ meetingID, nodeID: other })))
  );
}
