import type { Closeable } from '@rtms/bus';
import type { CodecName, CompositionStyle } from '@rtms/contracts';
import type { ComposedTile } from './graph/composed-graph.js';
import type { FrameRate } from '../rtp/frame-rate.js';

/** Name of the audio rendition. */
export const audioRenditionName = 'audio';
/** Name of the best video rendition. */
export const bestRenditionName = 'v1';
export const audioBitrate = 128_000;

/** A video rendition that the encoder makes. */
export interface EncodedVideo {
  /** The rank: `v1` is the best. A player that knows this name gets the best rendition even after the source grows. */
  name: string;
  width: number;
  height: number;
  /** Bits per second. */
  bitrate: number;
}

/** A picture for a slate. */
export interface Still {
  /** An init segment and a media segment of a rendition. Its last picture is shown. */
  segment: Buffer;
  /** Shows the picture with half of its light, so that viewers see that it is not live. */
  isDimmed: boolean;
}

/** The output of one encoder run. */
export interface EncodingPlan {
  /** `stream` (default): Matroska by `write`. `slate`: a still picture and silence in real time, until `close`. */
  input?: 'stream' | 'slate';
  /** The picture of a slate; black without it. */
  still?: Still;
  /** For log lines. */
  broadcastID: string;
  segmentSeconds: number;
  /** Low-latency HLS: the output also has parts of so many seconds. Absent: whole segments only. */
  partSeconds?: number;
  /** Constant. All renditions have a keyframe at the same time every `segmentSeconds`. */
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

/** The next stretch of a segment that is not finished. */
export interface FinishedPart {
  bytes: Buffer;
  durationSeconds: number;
  /** Begins with a keyframe. */
  isIndependent: boolean;
}

export interface EncoderExit {
  /** The transcoder ended the process. */
  expected: boolean;
  code: number | null;
  signal: string | null;
  /** Last lines of standard error, for the log. */
  lastLines: string[];
}

/** Receives the output. Segments of a rendition arrive in order, after its init segment. */
export interface EncoderListener {
  onInit(renditionName: string, bytes: Buffer): void;
  /** With `partSeconds`: all parts of a segment precede the segment. */
  onPart?(renditionName: string, part: FinishedPart): void;
  onSegment(renditionName: string, segment: FinishedSegment): void;
  /** The last call. */
  onExit(exit: EncoderExit): void;
}

/** One process that encodes one plan. `close()` kills it and deletes its files. */
export interface EncoderRun extends Closeable {
  /** Process id; undefined without a process. */
  readonly pid: number | undefined;
  /** Returns false when the encoder is too slow and further writes would be buffered. */
  write(data: Buffer): boolean;
  /** Ends the input. Resolves after the last segment, or when the encoder is too slow to finish. */
  finish(): Promise<void>;
}

/** The picture and the sound of one run of a composition. */
export interface Scene {
  style: CompositionStyle;
  /** `name`: shown as the name tag. */
  tiles: readonly (Omit<ComposedTile, 'nameFile'> & { name: string })[];
  sounds: number;
  /** The output has no picture. */
  isAudioOnly?: boolean | undefined;
  /** The decoders refuse larger pictures; default: unlimited. */
  maxPixels?: number | undefined;
}

/** One process that encodes several inputs. The inputs are those of `ComposedGraph`, in its order. */
export interface ComposedCapture extends Closeable {
  readonly pid: number | undefined;
  /** The end of the encoded media, ms from the beginning of the run. */
  readonly encodedMs: number;
  /** Writes Matroska bytes; returns false when the process is too slow. */
  write(data: Buffer, input: number): boolean;
  /** Bytes of an input that the process has not read. */
  queuedBytes(input: number): number;
  endInput(input: number): void;
  /** Ends all inputs. Resolves after the last output. */
  finish(): Promise<void>;
}

export interface Encoder {
  /** Whether the encoder can start now. */
  isUsable(): Promise<boolean>;
  /** Whether the encoder can decode this codec. */
  decodes(codec: CodecName): boolean;
  start(plan: EncodingPlan, listener: EncoderListener): Promise<EncoderRun>;
  compose(scene: Scene, plan: EncodingPlan, listener: EncoderListener): Promise<ComposedCapture>;
}
