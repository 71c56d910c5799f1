import type { NodeLease, RestreamInventory, SfuInventory, TranscoderInventory } from '@rtms/contracts';
import { inTurns } from '../../platform/jobs/in-turns.js';
import type { Broadcast } from '../resources/broadcast.entity.js';
import type { ExternalSession } from '../resources/external-session.entity.js';
import type { Playback } from '../resources/playback.entity.js';
import type { Recording } from '../resources/recording.entity.js';
import type { SeenRestream } from '../restreams/restream-lifecycle.service.js';
import type { NodeView } from './holding.js';

/** The columns of sessions and playbacks that the comparison needs. There may be tens of thousands of rows. */
export const sessionColumns = ['id', 'meetingID', 'nodeID', 'nodeEpoch', 'placedAt', 'state'] as const;
export const playbackColumns = [...sessionColumns, 'sourceSessionID'] as const;

export const restreamColumns = [
  'id',
  'nodeID',
  'nodeEpoch',
  'placedAt',
  'state',
  'sourceSessionID',
  'sourceBroadcastID',
  'meetingID',
] as const;

/** The columns of stopped recordings without a file. */
export const stoppedColumns = ['id', 'nodeID', 'nodeEpoch', 'sourceRecordingIDs'] as const;

export type SeenSession = Pick<ExternalSession, (typeof sessionColumns)[number]>;
export type SeenPlayback = Pick<Playback, (typeof playbackColumns)[number]>;
export type StoppedRecording = Pick<Recording, (typeof stoppedColumns)[number]>;

type ByID<Entry> = ReadonlyMap<string, Entry>;

/** The inventory of an SFU, by ID. */
export interface SfuHoldings {
  epoch: number;
  meetingIDs: readonly string[];
  sessions: ByID<SfuInventory['sessions'][number]>;
  playbacks: ByID<SfuInventory['playbacks'][number]>;
}

/** The inventory of a transcoder, by ID. */
export interface TranscoderHoldings {
  epoch: number;
  broadcasts: ByID<TranscoderInventory['broadcasts'][number]>;
  recordings: ByID<TranscoderInventory['recordings'][number]>;
  restreams: ByID<RestreamInventory>;
}

/** The database and the inventories of the nodes, by ID. The inventories were read first. */
export interface Snapshot {
  /** Rows that have not ended. */
  sessions: ByID<SeenSession>;
  playbacks: ByID<SeenPlayback>;
  broadcasts: ByID<Broadcast>;
  restreams: ByID<SeenRestream>;
  /** Running recordings. */
  recordings: ByID<Recording>;
  /** Recordings that have stopped and have no file yet. */
  stopped: ByID<StoppedRecording>;
  /** The nodes of each room's sessions, by the database. A room without a placed session is absent. */
  homesOfRooms: ReadonlyMap<string, ReadonlySet<string>>;
  /** Rooms in inventories that have ended or never existed. */
  endedMeetings: ReadonlySet<string>;
  sfus: ByID<NodeView<SfuHoldings>>;
  transcoders: ByID<NodeView<TranscoderHoldings>>;
  /** Whether a node without a lease is dead. */
  isSettled: boolean;
}

/** A lease with the inventory of the node; undefined when the node did not answer. */
export interface NodeAnswer<Inventory> {
  lease: NodeLease;
  inventory: Inventory | undefined;
}

/** The rows and inventories as they were read. */
export interface SnapshotParts {
  sessions: readonly SeenSession[];
  playbacks: readonly SeenPlayback[];
  broadcasts: readonly Broadcast[];
  restreams: readonly SeenRestream[];
  recordings: readonly Recording[];
  stopped: readonly StoppedRecording[];
  endedMeetings: ReadonlySet<string>;
  sfus: readonly NodeAnswer<SfuInventory>[];
  transcoders: readonly NodeAnswer<TranscoderInventory>[];
  isSettled: boolean;
}

/** Indexes rows and inventories by ID, so that the comparison takes linear time. */
export async function indexSnapshot(parts: SnapshotParts): Promise<Snapshot> {
  const { endedMeetings, isSettled } = parts;
  return {
    sessions: await byID(parts.sessions, row => row.id),
    playbacks: await byID(parts.playbacks, row => row.id),
    broadcasts: await byID(parts.broadcasts, row => row.id),
    restreams: await byID(parts.restreams, row => row.id),
    recordings: await byID(parts.recordings, row => row.id),
    stopped: await byID(parts.stopped, row => row.id),
    homesOfRooms: await homesOf(parts.sessions),
    endedMeetings,
    sfus: await indexNodes(parts.sfus, indexSfu),
    transcoders: await indexNodes(parts.transcoders, indexTranscoder),
    isSettled,
  };
}

export function viewOf<Holdings>(views: ByID<NodeView<Holdings>>, nodeID: string | null) {
  return nodeID === null ? undefined : views.get(nodeID);
}

async function byID<Entry>(entries: Iterable<Entry>, idOf: (entry: Entry) => string): Promise<Map<string, Entry>> {
  const index = new Map<string, Entry>();
  await inTurns(entries, entry => void index.set(idOf(entry), entry));
  return index;
}

async function homesOf(sessions: readonly SeenSession[]): Promise<Map<string, Set<string>>> {
  const homes = new Map<string, Set<string>>();
  await inTurns(sessions, ({ meetingID, nodeID }) => {
    if (nodeID === null) return;
    const known = homes.get(meetingID);
    if (known) known.add(nodeID);
    else homes.set(meetingID, new Set([nodeID]));
  });
  return homes;
}

async function indexNodes<Inventory, Holdings>(
  answers: readonly NodeAnswer<Inventory>[],
  index: (inventory: Inventory) => Promise<Holdings>,
): Promise<Map<string, NodeView<Holdings>>> {
  const views = new Map<string, NodeView<Holdings>>();
  for (const { lease, inventory } of answers) {
    views.set(lease.nodeID, { lease, holdings: inventory && (await index(inventory)) });
  }
  return views;
}

async function indexSfu({ epoch, meetingIDs, sessions, playbacks }: SfuInventory): Promise<SfuHoldings> {
  return {
    epoch,
    meetingIDs,
    sessions: await byID(sessions, each => each.sessionID),
    playbacks: await byID(playbacks, each => each.playbackID),
  };
}

async function indexTranscoder(inventory: TranscoderInventory): Promise<TranscoderHoldings> {
  const { epoch, broadcasts, recordings, restreams = [] } = inventory;
  return {
    epoch,
    broadcasts: await byID(broadcasts, each => each.broadcastID),
    recordings: await byID(recordings, each => each.recordingID),
    restreams: await byID(restreams, each => each.restreamID),
  };
}
