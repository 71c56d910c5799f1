import type { PictureSize } from '@rtms/bitstream';
import type { Clock } from '@rtms/clock';
import type { SourceBounds } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import type { Encoder, EncoderExit, EncoderRun, FinishedPart, FinishedSegment } from '../../encoder/encoder.js';
import { isObservedEnough, profileSource, type ProfileLimits, type SourceProfile } from './source-profile.js';
import { isTooLarge } from '../job-limits.js';
import { compareSizes, SizeWatch } from './size-watch.js';
import { isKeyframe, type FeedCodecs, type Keyframe, type TimedFrame } from '../../rtp/source-feed.js';
import { StreamWriter } from '../../encoder/matroska/stream-writer.js';

export interface EncodingRunOptions extends ProfileLimits {
  broadcastID: string;
  segmentSeconds: number;
  /** Of low-latency HLS. */
  partSeconds?: number;
  codecs: FeedCodecs;
  /** Profile of the former run after an encoder failure: the encoder starts at once and waits for the keyframe. */
  profile?: SourceProfile;
  /** A source above these bounds is not encoded. */
  maxSource?: SourceBounds;
  /** ms since 1970 before which a size change with the same shape starts no new run. */
  resizableFromMs?: number;
}

export interface EncodingRunListener {
  /** The first frame has arrived. */
  onStarted(profile: SourceProfile, firstFrameMs: number): void;
  onInit(renditionName: string, bytes: Buffer): void;
  onPart?(renditionName: string, part: FinishedPart): void;
  onSegment(renditionName: string, segment: FinishedSegment): void;
  /** The source has changed. The caller starts another run with `frame`. */
  onSourceChanged(reason: 'size' | 'time', frame: TimedFrame): void;
  /** The size or the pixel rate exceeds `maxSource`. The run is over. */
  onTooLarge(size: PictureSize): void;
  /** The encoder exited or stalled unexpectedly. */
  onFailed(exit: EncoderExit): void;
}

/** A longer gap or jump starts a new run instead of repeating pictures. */
const longestGapMs = 4_000;
/** Frames queued while the encoder starts. */
const mostQueuedFrames = 2_000;

/** Encodes a source with one encoder, from a keyframe until the source or the encoder breaks. */
export class EncodingRun {
  private queue: TimedFrame[] = [];
  private profile: SourceProfile | undefined;
  private first: Keyframe | undefined;
  private lastVideoMs = 0;
  private sizeWatch: SizeWatch | undefined;
  private mustRenew = false;
  private writer: StreamWriter | undefined;
  private encoder: EncoderRun | undefined;
  private starting: Promise<void> | undefined;
  private isOver = false;
  private lastOutputAt = 0;

  constructor(
    private readonly encoders: Encoder,
    private readonly clock: Clock,
    private readonly options: EncodingRunOptions,
    private readonly listener: EncodingRunListener,
  ) {
    if (options.profile) this.startEncoder(options.profile);
  }

  get isWaitingForKeyframe(): boolean {
    return (this.first === undefined || this.mustRenew) && !this.isOver;
  }

  /** The profile of the started encoder. */
  get encodedProfile(): SourceProfile | undefined {
    return this.profile;
  }

  get encoderPid(): number | undefined {
    return this.encoder?.pid;
  }

  onFrame(frame: TimedFrame): void {
    if (this.isOver) return;
    if (frame.size && isTooLarge(frame.size, this.options.maxSource)) return this.refuse(frame.size);
    if (!this.belongs(frame)) return;
    this.queue.push(frame);
    if (!this.profile && this.first && this.isObserved()) this.startObserved(this.first);
    this.flush();
  }

  /** Ends the input. Resolves after the last segments. */
  async finish(): Promise<void> {
    this.isOver = true;
    await this.starting;
    await this.encoder?.finish();
  }

  async close(): Promise<void> {
    this.isOver = true;
    await this.starting;
    await this.encoder?.close();
  }

  private startObserved(first: Keyframe): void {
    const profile = profileSource(first, this.queue, this.options);
    if (isTooLarge(profile.size, this.options.maxSource, profile.frameRate)) this.refuse(profile.size);
    else this.startEncoder(profile);
  }

  private refuse(size: PictureSize): void {
    this.isOver = true;
    this.listener.onTooLarge(size);
  }

  private isObserved(): boolean {
    return isObservedEnough(this.queue) || this.queue.length >= mostQueuedFrames;
  }

  /** Whether the frame is between the first keyframe and a break. */
  private belongs(frame: TimedFrame): boolean {
    if (!this.first) return isKeyframe(frame) && this.begin(frame);
    if (frame.kind === 'audio') return frame.timeMs >= this.first.timeMs;
    return !this.breaksTime(frame) && !this.breaksSize(frame);
  }

  private begin(frame: Keyframe): boolean {
    if (this.profile && compareSizes(this.profile.size, frame.size) !== 'none') return this.giveUp('size', frame);
    this.first = frame;
    this.lastVideoMs = frame.timeMs;
    this.lastOutputAt = this.clock.now();
    if (this.profile) this.listener.onStarted(this.profile, frame.timeMs);
    return true;
  }

  private breaksTime(frame: TimedFrame): boolean {
    const gap = frame.timeMs - this.lastVideoMs;
    if (Math.abs(gap) > longestGapMs) return !this.giveUp('time', frame);
    this.lastVideoMs = Math.max(this.lastVideoMs, frame.timeMs);
    return false;
  }

  private breaksSize(frame: TimedFrame): boolean {
    const verdict = this.sizeWatch?.onFrame(frame);
    this.mustRenew = verdict === 'renew-at-keyframe';
    return verdict === 'renew' && !this.giveUp('size', frame);
  }

  private giveUp(reason: 'size' | 'time', frame: TimedFrame): false {
    this.isOver = true;
    this.listener.onSourceChanged(reason, frame);
    return false;
  }

  private startEncoder(profile: SourceProfile): void {
    this.profile = profile;
    this.sizeWatch = new SizeWatch(profile.size, this.options);
    if (this.first) this.listener.onStarted(profile, this.first.timeMs);
    const { broadcastID, segmentSeconds, partSeconds, codecs, maxSource } = this.options;
    const { frameRate, ladder: video } = profile;
    const hasAudio = codecs.audio !== undefined;
    const maxPixels = maxSource && { maxPixels: maxSource.pixels };
    const parts = partSeconds !== undefined && { partSeconds };
    const plan = { broadcastID, segmentSeconds, ...parts, frameRate, video, hasAudio, ...maxPixels };
    this.starting = this.encoders
      .start(plan, {
        onInit: (name, bytes) => this.listener.onInit(name, bytes),
        onPart: (name, part) => this.listener.onPart?.(name, part),
        onSegment: (name, segment) => {
          this.lastOutputAt = this.clock.now();
          this.listener.onSegment(name, segment);
        },
        onExit: exit => this.onExit(exit),
      })
      .then(
        encoder => this.onEncoderStarted(encoder),
        (error: unknown) => this.fail([messageOf(error)]),
      );
  }

  private onEncoderStarted(encoder: EncoderRun): void {
    this.encoder = encoder;
    if (!this.isOver) this.flush();
  }

  private onExit(exit: EncoderExit): void {
    if (exit.expected || this.isOver) return;
    this.isOver = true;
    this.listener.onFailed(exit);
  }

  private fail(lastLines: string[]): void {
    this.onExit({ expected: false, code: null, signal: null, lastLines });
  }

  private flush(): void {
    if (this.encoder && this.first) this.writer ??= new StreamWriter(this.encoder, this.options.codecs, this.first);
    if (!this.writer) return;
    const frames = this.queue;
    this.queue = [];
    for (const frame of frames) this.writer.write(frame);
    const silentFor = this.clock.now() - this.lastOutputAt;
    if (frames.length > 0 && silentFor > this.longestSilenceMs && !this.isOver) this.onStalled();
  }

  /** Treats an encoder without output as failed. */
  private onStalled(): void {
    void this.encoder?.close();
    this.fail([`no output for ${Math.round(this.longestSilenceMs / 1000)} s`]);
  }

  private get longestSilenceMs(): number {
    return 3 * this.options.segmentSeconds * 1000 + 15_000;
  }
}
