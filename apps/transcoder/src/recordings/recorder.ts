import type { Closeable } from '@rtms/bus';
import type { CodecName } from '@rtms/contracts';
import type { EncoderExit } from '../jobs/encoder/encoder.js';
import type { FeedCodecs } from '../jobs/source-feed.js';
import type { JoinPlan, PartShape } from './part-shape.js';

/** One process that writes one part. `close()` ends it at once. */
export interface Capture extends Closeable {
  readonly pid: number | undefined;
  /** Takes a Matroska stream; false when it is too slow. */
  write(data: Buffer): boolean;
  /** The input ends; resolves when all of it is on the disk. */
  finish(): Promise<void>;
}

export interface CapturePlan {
  codecs: FeedCodecs;
  shape: PartShape;
  /** Where the part goes. */
  path: string;
  /** A larger picture is not decoded; default: any. */
  maxPixels?: number | undefined;
}

export interface JoinTask {
  plan: JoinPlan;
  /** In their order. */
  parts: readonly string[];
  /** Where the parts are; nothing else is written there save `path`. */
  directory: string;
  path: string;
}

/** Writes recordings' parts and makes files of them. */
export interface Recorder {
  decodes(codec: CodecName): boolean;
  capture(plan: CapturePlan, onExit: (exit: EncoderExit) => void): Capture;
  /** Rejects when it fails or is aborted; then there may be half a file. */
  join(task: JoinTask, signal: AbortSignal): Promise<void>;
}
