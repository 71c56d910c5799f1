import type { Closeable } from '@rtms/bus';
import type { CodecName } from '@rtms/contracts';
import type { FrameRate } from '../hls/frame-rate.js';
import type { VideoRung } from '../hls/rendition-ladder.js';

/** Name of the audio rendition. */
export const audioRenditionName = 'audio';
export const audioBitrate = 128_000;

/** A rendition's name, size and bits. */
export type EncodedVideo = Omit<VideoRung, 'label'>;

/** What one run of the encoder makes of a Matroska stream. */
export interface EncodingPlan {
  /** Stands in log lines. */
  broadcastID: string;
  segmentSeconds: number;
  /** Constant; every `segmentSeconds` a keyframe stands in all renditions at once. */
  frameRate: FrameRate;
  video: readonly EncodedVideo[];
  hasAudio: boolean;
  /** The decoder refuses larger pictures. */
  maxPixels?: number;
}

export interface FinishedSegment {
  bytes: Buffer;
  durationSeconds: number;
}

export interface EncoderExit {
  /** It was asked to end. */
  expected: boolean;
  code: number | null;
  signal: string | null;
  /** What it said last, for the log. */
  lastLines: string[];
}

/** Everything of one rendition comes in order, its init segment first. */
export interface EncoderListener {
  onInit(renditionName: string, bytes: Buffer): void;
  onSegment(renditionName: string, segment: FinishedSegment): void;
  /** Called once; nothing comes after it. */
  onExit(exit: EncoderExit): void;
}

/** One process that encodes one plan. `close()` ends it at once and removes its files. */
export interface EncoderRun extends Closeable {
  /** The process; undefined where there is none. */
  readonly pid: number | undefined;
  /** Returns false when the encoder is too slow: what is written from now on piles up. */
  write(data: Buffer): boolean;
  /** The input ends: resolves when the last segments are out, or the encoder was too slow to make them. */
  finish(): Promise<void>;
}

export interface Encoder {
  /** Whether it would start now. */
  isUsable(): Promise<boolean>;
  /** Whether it can read sources of this codec. */
  decodes(codec: CodecName): boolean;
  start(plan: EncodingPlan, listener: EncoderListener): Promise<EncoderRun>;
}
