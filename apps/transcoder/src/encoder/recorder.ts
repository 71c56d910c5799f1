import type { Closeable } from '@rtms/bus';
import type { CodecName } from '@rtms/contracts';
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

export interface JoinTask {
  plan: JoinPlan;
  /** File names, in order. */
  parts: readonly string[];
  /** The directory of the parts. Only `path` is written. */
  directory: string;
  path: string;
}

/** Records parts and joins them into one file. */
export interface Recorder {
  decodes(codec: CodecName): boolean;
  capture(plan: CapturePlan, onExit: (exit: EncoderExit) => void): Capture;
  /** Rejects on failure or abort, and may leave an incomplete file. */
  join(task: JoinTask, signal: AbortSignal): Promise<void>;
}
