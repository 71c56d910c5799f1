import { ingestCommand, type CommandAddress, type Nothing } from './vocabulary/bus-address.js';
import type { MediaKind, SourceBounds } from './vocabulary/codecs.js';
import type { IngestDiagnosis } from './node.js';

/** The protocols that an ingest node translates to WHIP. Each is a feature of the platform and of an account. */
export const encoderProtocols = ['srt', 'rtmp', 'rtmps'] as const;
export type EncoderProtocol = (typeof encoderProtocols)[number];

/** Reasons for which an ingest node refuses or drops an encoder. Stable; shown on the external session. */
export const ingestProblems = [
  'wrong_passphrase',
  'already_publishing',
  'key_expired',
  'no_media',
  'track_missing',
  'codec_unsupported',
  'source_too_large',
  'capacity_reached',
  'conversion_failed',
  'host_not_found',
  'address_not_allowed',
  'encoder_unreachable',
  'encoder_refused',
] as const;
export type IngestProblem = (typeof ingestProblems)[number];

/** Places of a session on an ingest node. Encoding smaller pictures takes cores, while a copy takes almost none. */
export const encoderPlaces = { usual: 1, withRenditions: 3 } as const;

export interface OpenIngestRequest {
  sessionID: string;
  protocol: EncoderProtocol;
  /** Only with `srt`. */
  passphrase?: string;
  /** Only with `srt`: the port that the session had before the node restarted. */
  port?: number;
}

/** `listener`: the encoder connects to the node. `caller`: the node calls the encoder. */
export const srtModes = ['listener', 'caller'] as const;
export type SrtMode = (typeof srtModes)[number];

/** Asks an ingest node to call an encoder by SRT for as long as the session lives. */
export interface CallEncoderRequest {
  sessionID: string;
  /** Such as `srt://encoder.example.com:9000`. Contains no secret. */
  url: string;
  passphrase?: string;
  /** Some encoders choose by it what they send. */
  streamID?: string;
  /** Whether the address may be in a private network. */
  allowsPrivate: boolean;
}

/** The encoder connects to this port of the host in the node's `publicUrl`. */
export interface OpenedIngest {
  port: number;
  /** Only with `srt`: the time in which lost packets are sent again. */
  latencyMs?: number;
}

export interface IngestInventory {
  epoch: number;
  sessions: { sessionID: string; protocol: EncoderProtocol; state: 'waiting' | 'publishing' }[];
}

/** Commands of an ingest node. */
export const ingestCommands = {
  /** Idempotent by session. Another passphrase replaces the former one, and drops its encoder. */
  open: ingestCommand<OpenIngestRequest, OpenedIngest>('ingest.open'),
  /** Idempotent by session. Another address or secret replaces the former one, and drops its encoder. */
  call: ingestCommand<CallEncoderRequest>('ingest.call'),
  drain: ingestCommand<{ draining: boolean }>('node.drain'),
  inventory: ingestCommand<Nothing, IngestInventory>('node.inventory'),
  diagnose: ingestCommand<Nothing, IngestDiagnosis>('node.diagnose'),
} as const;

/** An encoder wants to publish. `srt` names its session by the port or the call, `rtmp` and `rtmps` by the stream key. */
export interface IngestAdmissionRequest {
  nodeID: string;
  protocol: EncoderProtocol;
  sessionID?: string;
  streamKey?: string;
  /** The node has admitted this encoder before: its way to the SFU was lost, or it has reconnected. */
  isRenewal: boolean;
  /** The node hands on H264 with B-frames. The token says so to the SFU node. Absent: none, or unknown. */
  hasBFrames?: boolean;
}

/** Lets the ingest node publish by WHIP in place of the encoder. */
export interface IngestAdmission {
  sessionID: string;
  /** The encoder must send these kinds. */
  tracks: MediaKind[];
  /** The node publishes smaller pictures too; absent: it does not. */
  webrtcRenditions?: boolean;
  maxSource: SourceBounds;
  whipUrl: string;
  /** Short-lived. The node asks again before each WHIP request. */
  token: string;
}

/** The sessions that an ingest node holds, and the ones that it should hold. */
export interface IngestComparison {
  /** These sessions have ended, or never existed, or nobody used their address in time. */
  ended: string[];
  /** SRT sessions of this node that it does not hold, because it has restarted. */
  missing: OpenIngestRequest[];
  /** The encoders that this node must call and does not, because it has restarted, or because their former node is gone. */
  calls?: CallEncoderRequest[];
}

export interface IngestHolding {
  nodeID: string;
  sessionIDs: string[];
  /** Encoders that the node can call beside those of `sessionIDs`; absent: the node calls no encoder. */
  freeCalls?: number;
}

/** Asked by ingest nodes. Any gateway responds. */
export const ingestQuestions = {
  /** Fails with a reason of the error catalogue. */
  admit: gatewayQuestion<IngestAdmissionRequest, IngestAdmission>('admit'),
  /** Reports why an encoder was refused. */
  report: gatewayQuestion<{ nodeID: string; sessionID: string; problem: IngestProblem }, Nothing>('report'),
  compare: gatewayQuestion<IngestHolding, IngestComparison>('compare'),
} as const;

function gatewayQuestion<Request, Reply>(name: string): CommandAddress<Request, Reply> {
  return { subject: `rtms.gateway.any.ingest.${name}` };
}
