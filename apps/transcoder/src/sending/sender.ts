import type { CodecName, RestreamProblem, RestreamProtocol, RestreamTarget } from '@rtms/contracts';
import type { Capture } from '../encoder/recorder.js';
import type { EncoderExit } from '../encoder/encoder.js';
import type { FeedCodecs } from '../rtp/source-feed.js';

export interface SendPlan {
  target: RestreamTarget;
  /** Targets may have private addresses. */
  allowsPrivate: boolean;
  codecs: FeedCodecs;
  /** Of H264, six hexadecimal digits. */
  profileLevelID?: string | undefined;
}

export interface SendListener {
  /** The target takes media. Called once. */
  onAccepted(): void;
  /** The connection ended, also when this node ended it. */
  onExit(exit: EncoderExit, problem: RestreamProblem): void;
}

/** One connection to a target. Its bytes are Matroska, as those of a recording. */
export interface Delivery extends Capture {
  /** No connection to the target follows this one. Call it before `finish`. */
  retire?(): void;
}

/** Sends media to servers outside the platform. */
export interface Sender {
  /** Whether this node speaks the protocol. */
  speaks(protocol: RestreamProtocol): boolean;
  /** Whether the protocol carries the codec. */
  carries(protocol: RestreamProtocol, codec: CodecName): boolean;
  /** Connects. Rejects with a `SendFailure`, also when `signal` aborts. Leaves nothing open after a rejection. */
  send(plan: SendPlan, listener: SendListener, signal: AbortSignal): Promise<Delivery>;
}

/** Why a target could not be reached. The message names no address and no secret. */
export class SendFailure extends Error {
  constructor(
    readonly problem: RestreamProblem,
    message: string,
  ) {
    super(message);
    this.name = 'SendFailure';
  }
}

/**
 * WebRTC's Opus is encoded to AAC for RTMP and SRT, because their receivers expect AAC; AAC of broadcasts is encoded to Opus for WHIP.
 * Video is always copied.
 */
const carriedCodecs: Record<RestreamProtocol, readonly CodecName[]> = {
  rtmp: ['h264', 'opus'],
  rtmps: ['h264', 'opus'],
  srt: ['h264', 'opus'],
  whip: ['h264', 'vp8', 'opus'],
};

export function carries(protocol: RestreamProtocol, codec: CodecName): boolean {
  return carriedCodecs[protocol].includes(codec);
}
