import { nodeCommand, resourceCommand } from './bus-address.js';
import type { MediaKind, SourceBounds } from './codecs.js';
import type { EndpointTrial, MediaEndpoint, TranscoderDiagnosis } from './diagnosis.js';
import type { RecordingInventory, StartRecordingRequest } from './recording-commands.js';

export interface Rendition {
  /** Its lines, e.g. `720p`. */
  name: string;
  width: number;
  height: number;
  /** Frames a second. */
  frameRate: number;
  /** Bits a second. */
  videoBitrate: number;
  /** Bits a second; 0 without audio. */
  audioBitrate: number;
  /** RFC 6381, e.g. `avc1.64001f,mp4a.40.2`. */
  codecs: string;
}

/** What a transcoder needs to go on with a broadcast that another one had. */
export interface ContinuedBroadcast {
  /** Since the broadcast was made: its playlists go on with numbers above all that may have been used. */
  ageSeconds: number;
  /** Internal address of the transcoder that gives out what it published; left out when that one is lost. */
  formerUrl?: string;
  /** How many it has offered; players hold on to each. */
  renditions?: number;
}

export interface StartBroadcastRequest {
  broadcastID: string;
  meetingID: string;
  /** An external session or a room's member. */
  sourceID: string;
  /** Which SFU node has the source. */
  sfuNodeID: string;
  tracks: MediaKind[];
  /** Lines; the ladder has nothing above it. */
  maxHeight?: number;
  /** Above them the broadcast fails, `source_too_large`. A gateway of a former version leaves them out. */
  maxSource?: SourceBounds;
  /** RFC 3339; the signed path dies with the room. */
  roomExpiresAt: string;
  /** Left out: nothing of it was published yet. */
  continues?: ContinuedBroadcast;
}

export interface TranscoderInventory {
  epoch: number;
  broadcasts: { broadcastID: string; state: 'starting' | 'active' | 'interrupted' }[];
  recordings: RecordingInventory[];
}

/** The source of a broadcast or a recording, which is back. */
export interface ResumedSource {
  sfuNodeID: string;
  /**
   * Left out: the job reopens its feed in any case. Present: only if the job still waits for its source. The reconciler compares late
   * answers, and the job may be back by the time that this command arrives.
   */
  onlyIf?: 'interrupted';
}

/** Every command is idempotent by resource id; stopping what is not there is done already. */
export const transcoderCommands = {
  startBroadcast: nodeCommand<StartBroadcastRequest, Record<string, never>>('transcoder', 'broadcast.start'),
  /** The source is lost; what was published stays, nothing is added. */
  interruptBroadcast: nodeCommand<{ broadcastID: string }, Record<string, never>>('transcoder', 'broadcast.interrupt'),
  /** The source is back, perhaps on another node. */
  resumeBroadcast: nodeCommand<{ broadcastID: string } & ResumedSource, Record<string, never>>(
    'transcoder',
    'broadcast.resume',
  ),
  /** Another transcoder goes on with it; what was published can be fetched for one more window. */
  handOverBroadcast: nodeCommand<{ broadcastID: string }, Record<string, never>>('transcoder', 'broadcast.hand-over'),
  stopBroadcast: nodeCommand<{ broadcastID: string }, Record<string, never>>('transcoder', 'broadcast.stop'),
  startRecording: nodeCommand<StartRecordingRequest, Record<string, never>>('transcoder', 'recording.start'),
  /** The source is lost; what was recorded stays, nothing is added. */
  interruptRecording: nodeCommand<{ recordingID: string }, Record<string, never>>('transcoder', 'recording.interrupt'),
  /** The source is back, perhaps on another node. */
  resumeRecording: nodeCommand<{ recordingID: string } & ResumedSource, Record<string, never>>(
    'transcoder',
    'recording.resume',
  ),
  /** Nothing is added any more when the reply comes; the file is made afterwards. */
  stopRecording: nodeCommand<{ recordingID: string }, Record<string, never>>('transcoder', 'recording.stop'),
  /** Deletes the file, and what there may be of an unfinished one. */
  deleteRecording: nodeCommand<{ recordingID: string }, Record<string, never>>('transcoder', 'recording.delete'),
  /** Where other replicas fetch the recordings that are on this node's disk. */
  recordingOrigin: nodeCommand<Record<string, never>, { internalUrl: string }>('transcoder', 'recording.origin'),
  drain: nodeCommand<{ draining: boolean }, Record<string, never>>('transcoder', 'node.drain'),
  inventory: nodeCommand<Record<string, never>, TranscoderInventory>('transcoder', 'node.inventory'),
  diagnose: nodeCommand<Record<string, never>, TranscoderDiagnosis>('transcoder', 'node.diagnose'),
  /** Whether endpoints of another node can be reached from this one. */
  tryEndpoints: nodeCommand<{ endpoints: MediaEndpoint[] }, { trials: EndpointTrial[] }>(
    'transcoder',
    'node.try-endpoints',
  ),
} as const;

/** Answered by the transcoder that has the broadcast's files: where other replicas fetch them. */
export const broadcastOrigin = resourceCommand<Record<string, never>, { internalUrl: string }>(
  'rtms.broadcast',
  'origin',
);
