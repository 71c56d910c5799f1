import type { MediaKind } from './codecs.js';
import type { Rendition } from './broadcast-commands.js';
import type { RecordingStorage } from './recording-commands.js';
import type { EndReason, HealthCode, TrackState } from './states.js';

export interface SessionTrack {
  trackID: string;
  kind: MediaKind;
  /** As in `a=rtpmap`, e.g. `H264`, `opus`. */
  codec: string;
  state: TrackState;
}

/** What happened to an external session. */
export type ExternalSessionFact =
  | { type: 'external_session.active'; tracks: SessionTrack[] }
  | { type: 'external_session.interrupted'; reason: 'publisher_lost' | 'worker_lost' }
  | { type: 'external_session.health'; health: HealthCode[]; keyframeIntervalSeconds?: number }
  | { type: 'external_session.ended'; reason: EndReason };

/** What happened to a playback. `viewerCount` is how many viewers are connected now. */
export type PlaybackFact =
  | { type: 'playback.active'; viewerCount: number }
  | { type: 'playback.idle'; reason: 'viewer_lost' | 'worker_lost' }
  | { type: 'playback.ended'; reason: EndReason };

/** What happened to a broadcast. */
export type BroadcastFact =
  | { type: 'broadcast.active'; renditions: Rendition[] }
  | { type: 'broadcast.interrupted'; reason: 'source_lost' | 'encoder_lost' }
  | { type: 'broadcast.ended'; reason: EndReason }
  | { type: 'broadcast.failed'; reason: EndReason };

/** A finished recording's file. */
export interface RecordedFile {
  format: 'mp4';
  /** Of the media in it. */
  durationSeconds: number;
  sizeBytes: number;
  /** Of the picture; left out where there is none. */
  width?: number;
  height?: number;
  /** Of the whole file, in hexadecimal. */
  checksumSha256: string;
  storage: RecordingStorage;
}

/** What happened to a recording. Times are RFC 3339, UTC, of the node's clock. */
export type RecordingFact =
  /** Media is written, for the first time or again after an interruption. */
  | { type: 'recording.active'; since: string }
  | { type: 'recording.interrupted'; reason: 'source_lost' | 'recorder_lost'; until: string }
  /** Nothing is added any more; `until`: when the last of it was written. */
  | { type: 'recording.stopped'; reason: EndReason; until: string }
  | ({ type: 'recording.ready' } & RecordedFile)
  | { type: 'recording.failed'; reason: EndReason };

export type FactBody = ExternalSessionFact | PlaybackFact | BroadcastFact | RecordingFact;
export type FactType = FactBody['type'];

/**
 * A state change that a media worker reports. Facts of one resource are in order by `sequence` within
 * one `epoch` (a start of the worker); a fact of an epoch that does not hold the resource is ignored.
 */
export interface Fact<Body extends FactBody = FactBody> {
  resourceID: string;
  nodeID: string;
  /** Grows with each start of a node: the start's time in ms since 1970. */
  epoch: number;
  /** Grows with each fact of the node within one epoch; one resource's are in order, not without gaps. */
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

/** The bus drops a second message of one id, so that a repeated report is stored once. */
export function factMessageID(fact: Fact): string {
  return `${fact.nodeID}.${fact.epoch}.${fact.resourceID}.${fact.sequence}`;
}
