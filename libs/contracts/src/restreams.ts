import type { MediaKind } from './vocabulary/codecs.js';

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
  /** An external session, or a broadcast of the transcoder. */
  sourceID: string;
  /** `broadcast`: the source is a broadcast. Absent: an external session. */
  from?: 'broadcast';
  /** The node of the source: an SFU node, or the transcoder of the broadcast. */
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
