import type { Closeable } from '@rtms/bus';
import type { CodecName } from '@rtms/contracts';
import type { ComposedCapture, EncoderExit, Scene } from './encoder.js';
import type { FileInputs } from './graph/composed-graph.js';
import type { FeedCodecs } from '../rtp/source-feed.js';
import type { JoinPlan, PartShape } from '../rtp/part-shape.js';

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

/** A part that is composed from files. */
export interface RenderTask {
  scene: Scene;
  inputs: FileInputs;
  /** The length of the part, a multiple of 100 ms. */
  seconds: number;
  /** The part's file. */
  path: string;
}

/** Records parts and joins them into one file. */
export interface Recorder {
  decodes(codec: CodecName): boolean;
  capture(plan: CapturePlan, onExit: (exit: EncoderExit) => void): Capture;
  /** Whether names can be shown: FFmpeg may lack the filter, and the system the font. */
  hasNameTags(): Promise<boolean>;
  /** Starts a process that writes a part to `path`. */
  compose(scene: Scene, path: string, onExit: (exit: EncoderExit) => void): Promise<ComposedCapture>;
  /** Writes a part as fast as FFmpeg can, at a low priority. Rejects on failure or abort. */
  render(task: RenderTask, signal: AbortSignal): Promise<void>;
  /** Rejects on failure or abort, and may leave an incomplete file. */
  join(task: JoinTask, signal: AbortSignal): Promise<void>;
}
