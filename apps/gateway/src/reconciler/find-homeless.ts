import type { SfuInventory, TranscoderInventory } from '@rtms/contracts';
import type { Broadcast } from '../broadcasts/broadcast.entity.js';
import type { ExternalSession } from '../external-sessions/external-session.entity.js';
import type { Playback } from '../playbacks/playback.entity.js';
import type { Recording } from '../recordings/recording.entity.js';
import { holdingOf, type Holding } from './holding.js';
import { viewOf, type Snapshot } from './snapshot.js';

/** Rows that have not ended but that no worker has. */
export interface Homeless {
  sessions: ExternalSession[];
  playbacks: Playback[];
  broadcasts: Broadcast[];
  recordings: Recording[];
}

/** What the database has and no worker: at once where the worker is gone for sure, `missing` where that may pass. */
export function findHomeless(snapshot: Snapshot): { lost: Homeless; missing: Homeless } {
  return { lost: select(snapshot, 'lost'), missing: select(snapshot, 'missing') };
}

function select(snapshot: Snapshot, holding: Holding): Homeless {
  return {
    sessions: snapshot.sessions.filter(row => sessionHolding(snapshot, row) === holding),
    playbacks: snapshot.playbacks.filter(row => playbackHolding(snapshot, row) === holding),
    broadcasts: snapshot.broadcasts.filter(row => broadcastHolding(snapshot, row) === holding),
    recordings: snapshot.recordings.filter(row => recordingHolding(snapshot, row) === holding),
  };
}

function sessionHolding({ sfus, isSettled }: Snapshot, row: ExternalSession): Holding {
  // A session that its node waits for while the row says that it sends: what was reported in between is lost.
  const isIn = (inventory: SfuInventory) =>
    inventory.sessions.some(each => each.sessionID === row.id && !(row.state === 'active' && each.state === 'pending'));
  return holdingOf(row, viewOf(sfus, row.nodeID), { isSettled, isIn });
}

function playbackHolding({ sfus, sessions, isSettled }: Snapshot, row: Playback): Holding {
  const source = sessions.find(session => session.id === row.sourceSessionID);
  if (source && row.nodeEpoch !== null && hasMoved(row, source)) return 'lost';
  const isIn = (inventory: SfuInventory) => inventory.playbacks.some(each => each.playbackID === row.id);
  return holdingOf(row, viewOf(sfus, row.nodeID), { isSettled, isIn });
}

function hasMoved(row: Playback, source: ExternalSession): boolean {
  return source.nodeEpoch !== null && source.nodeID !== row.nodeID;
}

export function broadcastHolding({ transcoders, isSettled }: Snapshot, row: Broadcast): Holding {
  const isIn = (inventory: TranscoderInventory) => inventory.broadcasts.some(each => each.broadcastID === row.id);
  return holdingOf(row, viewOf(transcoders, row.nodeID), { isSettled, isIn });
}

function recordingHolding({ transcoders, isSettled }: Snapshot, row: Recording): Holding {
  const isIn = (inventory: TranscoderInventory) => inventory.recordings.some(each => each.recordingID === row.id);
  return holdingOf(row, viewOf(transcoders, row.nodeID), { isSettled, isIn });
}
