import type { SfuInventory, TranscoderInventory } from '@rtms/contracts';
import type { Broadcast } from '../broadcasts/broadcast.entity.js';
import type { ExternalSession } from '../external-sessions/external-session.entity.js';
import type { Playback } from '../playbacks/playback.entity.js';
import type { Recording } from '../recordings/recording.entity.js';
import type { NodeView } from './holding.js';

/** What the database and the workers say at one time; the workers were asked first. */
export interface Snapshot {
  /** Rows that have not ended. */
  sessions: ExternalSession[];
  playbacks: Playback[];
  broadcasts: Broadcast[];
  /** Those that run. */
  recordings: Recording[];
  /** Of the rooms that the workers name, those that have not ended. */
  runningMeetings: ReadonlySet<string>;
  sfus: NodeView<SfuInventory>[];
  transcoders: NodeView<TranscoderInventory>[];
  /** Whether silence means that a node is dead. */
  isSettled: boolean;
}

export function viewOf<Inventory>(views: readonly NodeView<Inventory>[], nodeID: string | null) {
  return views.find(view => view.lease.nodeID === nodeID);
}
