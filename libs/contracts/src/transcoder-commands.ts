import { resourceCommand, transcoderCommand, type Nothing } from './vocabulary/bus-address.js';
import type { MediaKind, SourceBounds } from './vocabulary/codecs.js';
import type { EndpointTrial, MediaEndpoint, TranscoderDiagnosis } from './node.js';
import type { ComposedRoom, CompositionStyle, RenderRecordingRequest } from './composition.js';
import type { HlsViewerSamplesPage, HlsViewerSamplesQuery } from './hls-viewer-quality.js';
import type { RepairInventory, StartRepairRequest } from './repairs.js';
import type { RestreamInventory, StartRestreamRequest } from './restreams.js';

export interface Rendition {
  /** The lines, e.g. `720p`. */
  name: string;
  width: number;
  height: number;
  /** Frames per second. */
  frameRate: number;
  /** Bits per second. */
  videoBitrate: number;
  /** Bits per second; 0 without audio. */
  audioBitrate: number;
  /** RFC 6381, e.g. `avc1.64001f,mp4a.40.2`. */
  codecs: string;
}

/** State that a transcoder needs to continue the broadcast of another transcoder. */
export interface ContinuedBroadcast {
  /** Age of the broadcast. Sequence numbers continue above all numbers that may have been used. */
  ageSeconds: number;
  /** Internal URL of the former transcoder, which still serves its segments. Absent if that node is lost. */
  formerUrl?: string;
  /** Number of published renditions. Players may be using each of them. */
  renditions?: number;
}

/** The image that a broadcast shows while its source is lost. */
export interface SlateSource {
  imageUrl: string;
  /** Accounts take turns. */
  accountID: string;
  /** Whether the address may be in a private network, and http. */
  allowsPrivate: boolean;
}

/** Why the image of a slate cannot be shown. Stable; the broadcast shows its last picture instead. */
export const slateProblems = [
  'image_unreachable',
  'address_not_allowed',
  'image_too_large',
  'image_unsupported',
] as const;
export type SlateProblem = (typeof slateProblems)[number];

export interface StartBroadcastRequest {
  broadcastID: string;
  meetingID: string;
  /** An external session or a room's member. */
  sourceID: string;
  /** The SFU node of the source. */
  sfuNodeID: string;
  tracks: MediaKind[];
  /** Maximum lines of a rendition. */
  maxHeight?: number;
  /** A source above these bounds fails the broadcast with `source_too_large`. Absent from gateways of earlier versions. */
  maxSource?: SourceBounds;
  /** Seconds that viewers can seek back. Absent: the window of the transcoder. Transcoders of earlier versions ignore it. */
  dvrSeconds?: number;
  /** Absent: `normal`. Transcoders of earlier versions ignore it, and make complete segments only. */
  latency?: 'low';
  /**
   * The broadcasts of an account share a node's disk for `dvrSeconds`, its waiting requests and its places of measured viewers. Absent
   * from gateways of earlier versions.
   */
  accountID?: string;
  /** Absent: the slate is the last picture. */
  slate?: SlateSource;
  /** RFC 3339. The signed path expires with the room. */
  roomExpiresAt: string;
  /** Absent for a new broadcast. */
  continues?: ContinuedBroadcast;
  /** A composition of a room. `sourceID` then is the room. */
  composition?: CompositionStyle & ComposedRoom;
}

export interface TranscoderInventory {
  epoch: number;
  broadcasts: { broadcastID: string; state: 'starting' | 'active' | 'interrupted' }[];
  recordings: RecordingInventory[];
  /** Absent from transcoders of earlier versions. */
  restreams?: RestreamInventory[];
  /** Absent from nodes of earlier versions. */
  repairs?: RepairInventory[];
}

/** The recovered source of a broadcast, a recording or a restream. */
export interface ResumedSource {
  sfuNodeID: string;
  /**
   * Resumes only a job in this state; absent: any job. The reconciler compares late replies, so the job may have recovered
   * before this command arrives.
   */
  onlyIf?: 'interrupted';
  /** With `onlyIf`: also resumes a job in any state whose source was on another SFU node. Nodes of earlier versions ignore it. */
  orElsewhere?: boolean;
}

/** Commands of a transcoder. All are idempotent by resource id; stopping an unknown resource succeeds. */
export const transcoderCommands = {
  startBroadcast: transcoderCommand<StartBroadcastRequest>('broadcast.start'),
  /** The source is lost. Published segments remain. `isMoved`: the platform closed the source, e.g. to drain its node. */
  interruptBroadcast: transcoderCommand<{ broadcastID: string; isMoved?: true }>('broadcast.interrupt'),
  /** The SFU node of the source is lost. The feed stays open: media workers of a frozen node still send. */
  noteLostNode: transcoderCommand<{ broadcastID: string }>('broadcast.node-lost'),
  /** The source has recovered, possibly on another SFU node. */
  resumeBroadcast: transcoderCommand<{ broadcastID: string } & ResumedSource>('broadcast.resume'),
  /** The room of a composed broadcast has changed. */
  composeBroadcast: transcoderCommand<{ broadcastID: string } & ComposedRoom>('broadcast.compose'),
  /** Another transcoder continues. Published segments remain fetchable for one window. */
  handOverBroadcast: transcoderCommand<{ broadcastID: string }>('broadcast.hand-over'),
  stopBroadcast: transcoderCommand<{ broadcastID: string }>('broadcast.stop'),
  startRecording: transcoderCommand<StartRecordingRequest>('recording.start'),
  /** The source is lost. Recorded parts remain. */
  interruptRecording: transcoderCommand<{ recordingID: string }>('recording.interrupt'),
  /** The source has recovered, possibly on another SFU node. */
  resumeRecording: transcoderCommand<{ recordingID: string } & ResumedSource>('recording.resume'),
  /** The room of a composed recording has changed. */
  composeRecording: transcoderCommand<{ recordingID: string } & ComposedRoom>('recording.compose'),
  /** Stops recording. The file is created after the reply. */
  stopRecording: transcoderCommand<{ recordingID: string }>('recording.stop'),
  /**
   * Completes a recording that another node left, from its pieces in the shared storage. The file is created after the reply.
   * Fails with `not_found` without pieces.
   */
  completeRecording: transcoderCommand<{ recordingID: string }>('recording.complete'),
  /** Composes a recording from files. Resolves when the node has taken the work. */
  renderRecording: transcoderCommand<RenderRecordingRequest>('recording.render'),
  /** Deletes the file and the parts of an unfinished recording. Ends its composition. */
  deleteRecording: transcoderCommand<{ recordingID: string }>('recording.delete'),
  /** Resolves when the source's media arrives. The target is reached later. */
  startRestream: transcoderCommand<StartRestreamRequest>('restream.start'),
  /** The source is lost. The connection to the target ends. */
  interruptRestream: transcoderCommand<{ restreamID: string }>('restream.interrupt'),
  /** The source has recovered, possibly on another SFU node. */
  resumeRestream: transcoderCommand<{ restreamID: string } & ResumedSource>('restream.resume'),
  stopRestream: transcoderCommand<{ restreamID: string }>('restream.stop'),
  /** Returns the base URL from which other nodes fetch recordings of this node's disk. */
  recordingOrigin: transcoderCommand<Nothing, { internalUrl: string }>('recording.origin'),
  /** Decodes the source's next keyframe. Answers the same picture again for five seconds. */
  takeThumbnail: transcoderCommand<ThumbnailRequest, Thumbnail>('thumbnail.take'),
  /** Starts a repair. It ends by itself when its SFU node no longer wants it. */
  startRepair: transcoderCommand<StartRepairRequest>('repair.start'),
  /** The samples of HLS viewers that the node still has, oldest first. */
  readViewerSamples: transcoderCommand<HlsViewerSamplesQuery, HlsViewerSamplesPage>('viewer-samples.read'),
  drain: transcoderCommand<{ draining: boolean }>('node.drain'),
  inventory: transcoderCommand<Nothing, TranscoderInventory>('node.inventory'),
  diagnose: transcoderCommand<Nothing, TranscoderDiagnosis>('node.diagnose'),
  /** Tests whether this node can reach endpoints of another node. */
  tryEndpoints: transcoderCommand<{ endpoints: MediaEndpoint[] }, { trials: EndpointTrial[] }>('node.try-endpoints'),
} as const;

/** The node with the files of a broadcast. */
export interface BroadcastOrigin {
  /** Base URL from which other nodes fetch the files. */
  internalUrl: string;
  /** Proves to the node that a request comes from another node. Random for each start. Nodes of earlier versions have none. */
  nodeKey?: string;
}

/** The transcoder with the broadcast's files responds. */
export const broadcastOrigin = resourceCommand<Nothing, BroadcastOrigin>('rtms.broadcast', 'origin');

export interface StartRecordingRequest {
  recordingID: string;
  meetingID: string;
  /** The external session or participant to record. */
  sourceID: string;
  /** The SFU node of the source. */
  sfuNodeID: string;
  tracks: MediaKind[];
  /** Seconds of media after which the recording stops. */
  maxDurationSeconds: number;
  /** Bounds of encoded video; above them the recording ends with `source_too_large`. Absent from gateways of earlier versions. */
  maxSource?: SourceBounds;
  /** A composition of a room. `sourceID` then is the room. */
  composition?: CompositionStyle & ComposedRoom;
  /** The recording is also stored as HLS, if there is time and space for it. Absent: only as MP4. */
  addHLS?: true;
  /** With `addHLS`: accounts take turns. */
  accountID?: string;
}

export interface ThumbnailRequest {
  /** An external session. */
  sourceID: string;
  /** Accounts take turns. */
  accountID: string;
  /** The SFU node of the source. */
  sfuNodeID: string;
}

export interface Thumbnail {
  /** A JPEG of at most 320×180 pixels, base64. */
  jpeg: string;
}

/** `recording`: media is being written. `processing`: the recording has stopped, and the file is in progress. */
export type RecordingJobState = 'starting' | 'recording' | 'interrupted' | 'processing';

export interface RecordingInventory {
  recordingID: string;
  state: RecordingJobState;
}

/** `node`: on the disk of one transcoder. `shared`: every transcoder can read and delete the file. */
export type RecordingStorage = 'node' | 'shared';
