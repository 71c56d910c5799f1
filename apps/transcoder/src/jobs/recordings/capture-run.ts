import type { PictureSize } from '@rtms/bitstream';
import type { SourceBounds } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import type { EncoderExit } from '../../encoder/encoder.js';
import { isTooLarge, rateTolerance } from '../job-limits.js';
import { isKeyframe, type FeedCodecs, type TimedFrame } from '../../rtp/source-feed.js';
import { StreamWriter } from '../../encoder/matroska/stream-writer.js';
import { area, breaksShape, isCopied, planJoin, shapeOf, type PartShape } from '../../rtp/part-shape.js';
import type { Capture } from '../../encoder/recorder.js';

export interface CaptureRunParts {
  codecs: FeedCodecs;
  /** Shapes of the earlier parts. */
  formerShapes: readonly PartShape[];
  /** A source above these bounds is not decoded. */
  maxSource: SourceBounds | undefined;
  /** Creates a part and the process that writes it. */
  begin(shape: PartShape, startedAtMs: number, onExit: (exit: EncoderExit) => void): Promise<Capture>;
}

export interface CaptureListener {
  /** The first frame has arrived. */
  onStarted(shape: PartShape): void;
  /** Duration of media since the last call, ms. */
  onMedia(ms: number): void;
  /** The source has changed. The caller starts another part with `frame`. */
  onSourceChanged(frame: TimedFrame): void;
  /** The recording would decode pictures above `maxSource`. The run is over. */
  onTooLarge(size: PictureSize): void;
  /** The process exited unexpectedly. */
  onFailed(exit: EncoderExit): void;
}

/** A longer gap or jump starts a new part. */
const longestGapMs = 4_000;
const mostQueuedFrames = 2_000;
const mostQueuedBytes = 8 * 1024 * 1024;

/** Records one part, from a keyframe (any frame without video) until the source or the process breaks. */
export class CaptureRun {
  private first: TimedFrame | undefined;
  private shape: PartShape | undefined;
  private lastMs = 0;
  /** Size of the newest picture. */
  private size: PictureSize | undefined;
  private readonly rate = new PixelRate();
  private queue: TimedFrame[] = [];
  private queuedBytes = 0;
  private hasLostVideo = false;
  private capture: Capture | undefined;
  private writer: StreamWriter | undefined;
  private starting: Promise<void> | undefined;
  private isOver = false;

  constructor(
    private readonly parts: CaptureRunParts,
    private readonly listener: CaptureListener,
  ) {}

  get isWaiting(): boolean {
    return this.first === undefined && !this.isOver;
  }

  get pid(): number | undefined {
    return this.capture?.pid;
  }

  onFrame(frame: TimedFrame): void {
    if (this.isOver) return;
    if (this.isAbove(frame)) return this.refuse();
    if (!this.belongs(frame)) return;
    // Audio beside video starts no part, so its jump is no media.
    if (frame.timeMs - this.lastMs <= longestGapMs) {
      this.listener.onMedia(Math.max(0, frame.timeMs - this.lastMs));
      this.lastMs = Math.max(this.lastMs, frame.timeMs);
    }
    this.enqueue(frame);
    this.flush();
  }

  /** Ends the input. Resolves when the part is on the disk. */
  async finish(): Promise<void> {
    this.isOver = true;
    await this.starting;
    this.flush();
    await this.capture?.finish();
  }

  private belongs(frame: TimedFrame): boolean {
    if (!this.first || !this.shape) return this.begins(frame);
    if (frame.timeMs < this.first.timeMs) return false;
    const isBroken = this.jumps(frame) || breaksShape(this.shape, this.isCopy, frame);
    if (!isBroken) return true;
    this.isOver = true;
    this.listener.onSourceChanged(frame);
    return false;
  }

  private isAbove(frame: TimedFrame): boolean {
    const { maxSource } = this.parts;
    if (frame.kind !== 'video' || !maxSource) return false;
    this.size = frame.size ?? this.size;
    if (!this.first && isKeyframe(frame) && this.isJoinAbove(frame, maxSource)) return true;
    if (this.isCopy || !this.size) return false;
    const pixelsPerSecond = this.rate.add(frame.timeMs, this.size);
    return isTooLarge(this.size, maxSource) || pixelsPerSecond > maxSource.pixelsPerSecond * rateTolerance;
  }

  /** Copied video may have any size, but a join of different parts decodes them. */
  private isJoinAbove(first: TimedFrame, maxSource: SourceBounds): boolean {
    const { codecs, formerShapes } = this.parts;
    const join = planJoin([...formerShapes, shapeOf(codecs, first, formerShapes[0]?.video?.size)]);
    return join.kind === 'encode' && isTooLarge(join.size, maxSource);
  }

  private refuse(): void {
    this.isOver = true;
    if (this.size) this.listener.onTooLarge(this.size);
  }

  private jumps({ timeMs, kind }: TimedFrame): boolean {
    const isLeading = kind === 'video' || !this.parts.codecs.video;
    return isLeading && Math.abs(timeMs - this.lastMs) > longestGapMs;
  }

  /** While a target connects. Pictures after a lost one need a keyframe. */
  private enqueue(frame: TimedFrame): void {
    const isVideo = frame.kind === 'video';
    if (isVideo && this.hasLostVideo && !frame.keyframe) return;
    const isFull = this.queue.length >= mostQueuedFrames || this.queuedBytes + frame.data.length > mostQueuedBytes;
    if (isVideo) this.hasLostVideo = isFull;
    if (isFull) return;
    this.queue.push(frame);
    this.queuedBytes += frame.data.length;
  }

  private get isCopy(): boolean {
    const { video } = this.parts.codecs;
    return video === undefined || isCopied(video.codec);
  }

  private begins(frame: TimedFrame): boolean {
    if (this.parts.codecs.video && !isKeyframe(frame)) return false;
    this.first = frame;
    this.lastMs = frame.timeMs;
    const { codecs, formerShapes } = this.parts;
    this.shape = shapeOf(codecs, frame, formerShapes[0]?.video?.size);
    this.listener.onStarted(this.shape);
    this.starting = this.parts
      .begin(this.shape, frame.timeMs, exit => this.onExit(exit))
      .then(
        capture => this.onCapture(capture),
        (error: unknown) => this.onExit(failedStart(error)),
      );
    return true;
  }

  private onCapture(capture: Capture): void {
    this.capture = capture;
    this.flush();
  }

  private onExit(exit: EncoderExit): void {
    if (exit.expected || this.isOver) return;
    this.isOver = true;
    this.listener.onFailed(exit);
  }

  private flush(): void {
    if (!this.capture || !this.first) return;
    this.writer ??= new StreamWriter(this.capture, this.parts.codecs, this.first);
    this.queuedBytes = 0;
    for (const frame of this.queue.splice(0)) this.writer.write(frame);
  }
}

/** Sums the pixels of the last second of media. */
class PixelRate {
  private readonly pictures: { timeMs: number; pixels: number }[] = [];
  private pixels = 0;

  /** Adds a picture and returns the sum. */
  add(timeMs: number, size: PictureSize): number {
    const picture = { timeMs, pixels: area(size) };
    this.pictures.push(picture);
    this.pixels += picture.pixels;
    while (this.pictures[0] && Math.abs(timeMs - this.pictures[0].timeMs) >= 1_000)
      this.pixels -= this.pictures.shift()?.pixels ?? 0;
    return this.pixels;
  }
}

function failedStart(error: unknown): EncoderExit {
  const message = messageOf(error);
  return { expected: false, code: null, signal: null, lastLines: [message] };
}
