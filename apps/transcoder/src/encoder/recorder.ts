import type { Closeable } from '@rtms/bus';
import type { CodecName, CompositionStyle } from '@rtms/contracts';
import type { ComposedTile } from './graph/composed-graph.js';
import type { EncoderExit } from './encoder.js';
import type { FeedCodecs } from '../rtp/source-feed.js';
import type { JoinPlan, PartShape } from './part-shape.js';

/** One process that writes one part. `close()` kills it. */
export interface Capture extends Closeable {
  readonly pid: number | undefined;
  /** Writes Matroska bytes; returns false when the process is too slow. */
  write(data: Buffer): boolean;
  /** Ends the input. Resolves when the part is on the disk. */
  finish(): Promise<void>;
}

export interface CapturePlan {
  codecs: FeedCodecs;
  shape: PartShape;
  /** The part's file. */
  path: string;
  /** The decoder refuses larger pictures; default: unlimited. */
  maxPixels?: number | undefined;
}

/** One process that writes one part from several inputs. The inputs are those of `ComposedGraph`, in its order. */
export interface ComposedCapture extends Closeable {
  readonly pid: number | undefined;
  /** The end of the encoded media, ms from the beginning of the part. */
  readonly encodedMs: number;
  /** Writes Matroska bytes; returns false when the process is too slow. */
  write(data: Buffer, input: number): boolean;
  /** Bytes of an input that the process has not read. */
  queuedBytes(input: number): number;
  endInput(input: number): void;
  /** Ends all inputs. Resolves when the part is on the disk. */
  finish(): Promise<void>;
}

export interface ComposedPlan {
  style: CompositionStyle;
  /** `name`: shown as the name tag. */
  tiles: readonly (Omit<ComposedTile, 'nameFile'> & { name: string })[];
  sounds: number;
  /** The part's file. */
  path: string;
  /** The decoders refuse larger pictures; default: unlimited. */
  maxPixels?: number | undefined;
}

export interface JoinedPart {
  /** The name of the file. */
  file: string;
  /** Media after this time is cut off. Absent: the whole part. */
  seconds?: number | undefined;
}

export interface JoinTask {
  plan: JoinPlan;
  /** In order. */
  parts: readonly JoinedPart[];
  /** The time of the first picture, RFC 3339. The file notes it. */
  startedAt?: string | undefined;
  /** The directory of the parts. Only `path` is written. */
  directory: string;
  path: string;
}

/** Records parts and joins them into one file. */
export interface Recorder {
  decodes(codec: CodecName): boolean;
  capture(plan: CapturePlan, onExit: (exit: EncoderExit) => void): Capture;
  /** Whether names can be shown: FFmpeg may lack the filter, and the system the font. */
  hasNameTags(): Promise<boolean>;
  compose(plan: ComposedPlan, onExit: (exit: EncoderExit) => void): Promise<ComposedCapture>;
  /** Rejects on failure or abort, and may leave an incomplete file. */
  join(task: JoinTask, signal: AbortSignal): Promise<void>;
}
