import type { RecordedSpan } from './composition.js';
import type { MediaKind } from './vocabulary/codecs.js';
import type { RestreamProblem } from './restreams.js';
import type { Rendition, RecordingStorage, SlateProblem } from './transcoder-commands.js';
import type { EndReason, HealthCode, TrackState } from './vocabulary/states.js';

export interface SessionTrack {
  trackID: string;
  kind: MediaKind;
  /** As in `a=rtpmap`, e.g. `H264`, `opus`. */
  codec: string;
  state: TrackState;
}

/** State change of an external session. */
export type ExternalSessionFact =
  | { type: 'external_session.active'; tracks: SessionTrack[] }
  /** `node_draining`: the drain's time is over. The gateway moves the room, or ends the session if no node can take it. */
  | { type: 'external_session.interrupted'; reason: 'publisher_lost' | 'worker_lost' | 'node_draining' }
  | { type: 'external_session.health'; health: HealthCode[]; keyframeIntervalSeconds?: number }
  | { type: 'external_session.ended'; reason: EndReason };

/** State change of a playback. `viewerCount` is the number of connected viewers. */
export type PlaybackFact =
  | { type: 'playback.active'; viewerCount: number }
  | { type: 'playback.idle'; reason: 'viewer_lost' | 'worker_lost' }
  | { type: 'playback.ended'; reason: EndReason };

/** State change of a broadcast. */
export type BroadcastFact =
  /** `slateProblem`: the image of the slate cannot be shown. */
  | { type: 'broadcast.active'; renditions: Rendition[]; slateProblem?: SlateProblem }
  /** `node_draining`: the drain's time is over, and the node has let the broadcast go. Another transcoder may take it. */
  | { type: 'broadcast.interrupted'; reason: 'source_lost' | 'encoder_lost' | 'node_draining' }
  | { type: 'broadcast.ended'; reason: EndReason }
  | { type: 'broadcast.failed'; reason: EndReason };

/** A finished recording's file. */
export interface RecordedFile {
  format: 'mp4';
  /** Duration of the media. */
  durationSeconds: number;
  sizeBytes: number;
  /** Size of the video; absent without video. */
  width?: number;
  height?: number;
  /** Of the whole file, hexadecimal. */
  checksumSha256: string;
  storage: RecordingStorage;
  /** The file is also stored as HLS. Absent: it is not. */
  hasHLS?: true;
  /** When the media was recorded. Absent: unknown, as of nodes of earlier versions. */
  spans?: RecordedSpan[];
}

/** State change of a recording. Times are RFC 3339, UTC, by the node's clock. */
export type RecordingFact =
  /** Media is written, at the start or after an interruption. */
  | { type: 'recording.active'; since: string }
  | { type: 'recording.interrupted'; reason: 'source_lost' | 'recorder_lost'; until: string }
  /** The recording has stopped; `until` is the time of the last write. */
  | { type: 'recording.stopped'; reason: EndReason; until: string }
  | ({ type: 'recording.ready' } & RecordedFile)
  | { type: 'recording.failed'; reason: EndReason };

/** State change of a restream. `retries`: attempts since the target last took media for some seconds. */
export type RestreamFact =
  /** The target takes media. */
  | { type: 'restream.active' }
  /** Another attempt follows. With `node_draining` another transcoder makes it. */
  | { type: 'restream.retrying'; problem: RestreamProblem; retries: number }
  | { type: 'restream.ended'; reason: EndReason }
  | { type: 'restream.failed'; reason: EndReason; problem: RestreamProblem };

export type FactBody = ExternalSessionFact | PlaybackFact | BroadcastFact | RecordingFact | RestreamFact;
export type FactType = FactBody['type'];

/**
 * A state change that a media node reports. Facts of one resource are ordered by `sequence` within an `epoch` (one start of the
 * node). The gateway ignores a fact of an epoch that does not own the resource.
 */
export interface Fact<Body extends FactBody = FactBody> {
  resourceID: string;
  nodeID: string;
  /** Start time of the node, ms since 1970. Increases with each start. */
  epoch: number;
  /** Increases with each fact of the node in one epoch. Facts of one resource are in order, with gaps. */
  sequence: number;
  /** RFC 3339, UTC, milliseconds. */
  at: string;
  requestID?: string;
  body: Body;
}

export const factStream = { name: 'RTMS_FACTS', subjects: ['rtms.fact.>'] } as const;

export function factSubject(fact: Fact): string {
  return `rtms.fact.${fact.body.type}.${fact.resourceID}`;
}

/** The stream drops duplicates by this id, so that a repeated report is stored once. */
export function factMessageID(fact: Fact): string {
  return `${fact.nodeID}.${fact.epoch}.${fact.resourceID}.${fact.sequence}`;
}
