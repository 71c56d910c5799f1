import { resourceCommand, transcoderCommand, type CommandAddress, type Nothing } from './bus-address.js';
import type { MediaKind, SourceBounds } from './codecs.js';
import type { ComposedRoom, CompositionStyle } from './composition.js';
import type { EndpointTrial, MediaEndpoint, TranscoderDiagnosis } from './node.js';

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
}

/** Commands of a transcoder. All are idempotent by resource id; stopping an unknown resource succeeds. */
export const transcoderCommands = {
  startBroadcast: transcoderCommand<StartBroadcastRequest>('broadcast.start'),
  /** The source is lost. Published segments remain. */
  interruptBroadcast: transcoderCommand<{ broadcastID: string }>('broadcast.interrupt'),
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
  /** Deletes the file and the parts of an unfinished recording. */
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
  drain: transcoderCommand<{ draining: boolean }>('node.drain'),
  inventory: transcoderCommand<Nothing, TranscoderInventory>('node.inventory'),
  diagnose: transcoderCommand<Nothing, TranscoderDiagnosis>('node.diagnose'),
  /** Tests whether this node can reach endpoints of another node. */
  tryEndpoints: transcoderCommand<{ endpoints: MediaEndpoint[] }, { trials: EndpointTrial[] }>('node.try-endpoints'),
} as const;

/** The transcoder with the broadcast's files returns the base URL from which other nodes fetch them. */
export const broadcastOrigin = resourceCommand<Nothing, { internalUrl: string }>('rtms.broadcast', 'origin');

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

/** The protocols by which a restream reaches its target. */
export const restreamProtocols = ['rtmp', 'rtmps', 'srt', 'whip'] as const;
export type RestreamProtocol = (typeof restreamProtocols)[number];

/** Why a restream does not reach its target now. Stable; shown on the restream. */
export const restreamProblems = [
  'host_not_found',
  'connection_refused',
  'connection_timed_out',
  'tls_failed',
  'target_not_allowed',
  'target_refused',
  'target_closed',
  'target_stalled',
  'source_lost',
  'source_codec_unsupported',
  'sender_failed',
  'node_draining',
  'node_lost',
] as const;
export type RestreamProblem = (typeof restreamProblems)[number];

/** Server to which a restream sends. */
export interface RestreamTarget {
  protocol: RestreamProtocol;
  /** Contains no secret. */
  url: string;
  /** RTMP and RTMPS: the stream key. SRT: the stream ID. WHIP: the bearer token. */
  streamKey?: string;
  /** Of SRT. */
  passphrase?: string;
}

export interface StartRestreamRequest {
  restreamID: string;
  meetingID: string;
  /** An external session. */
  sourceID: string;
  /** The SFU node of the source. */
  sfuNodeID: string;
  tracks: MediaKind[];
  target: RestreamTarget;
  /** The platform allows private addresses as targets. */
  allowsPrivate: boolean;
}

export type RestreamJobState = 'connecting' | 'active' | 'retrying' | 'interrupted';

export interface RestreamInventory {
  restreamID: string;
  /** `interrupted`: no media arrives from the source. */
  state: RestreamJobState;
}
/** A need of an SFU node: viewers of a session cannot decode its video, because it has B-frames. */
export interface RepairNeed {
  /** Chosen by the SFU node; a repeated question has the same one. */
  repairID: string;
  sessionID: string;
  /** The SFU node that asks and has the session. */
  sfuNodeID: string;
  /** Measured bits per second of the session's video. */
  videoBitrate: number;
}

/** A transcoder sends the session's video without B-frames, and its audio with the same delay, to the SFU node. */
export interface StartRepairRequest extends RepairNeed {
  accountID: string;
  tracks: MediaKind[];
  /** A source above these bounds is not repaired. */
  maxSource: SourceBounds;
}

/** The address from which a transcoder sends one kind. */
export interface RepairSender {
  kind: MediaKind;
  ip: string;
  port: number;
}

/** The destination of one kind. The SFU node accepts only packets with this SSRC from the named address. */
export interface RepairInput {
  kind: MediaKind;
  ip: string;
  port: number;
  payloadType: number;
  ssrc: number;
}

/** A running repair of a transcoder. */
export interface RepairInventory {
  repairID: string;
  sessionID: string;
  accountID: string;
}

/**
 * Asked by SFU nodes. Any gateway responds: it places the repair on a transcoder. Fails with `capacity_reached` at a limit of the
 * account or of the transcoders.
 */
export const placeRepair: CommandAddress<RepairNeed, { nodeID: string }> = {
  subject: 'rtms.gateway.any.repair.place',
};
