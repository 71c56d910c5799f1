import type { FrameSize } from '../depacketize/frame.js';
import { MatroskaMuxer } from '../matroska/matroska-muxer.js';
import { SilenceFiller } from '../matroska/silence.js';
import type { Encoder, EncoderExit, EncoderRun, FinishedSegment } from './encoder/encoder.js';
import { isObservedEnough, profileSource, type ProfileLimits, type SourceProfile } from './hls/source-profile.js';
import type { FeedCodecs, TimedFrame } from './source-feed.js';

export interface EncodingRunOptions extends ProfileLimits {
  broadcastID: string;
  segmentSeconds: number;
  codecs: FeedCodecs;
  /** Of the run before, when only the encoder is new: it starts at once and waits for the keyframe. */
  profile?: SourceProfile;
}

export interface EncodingRunListener {
  /** The first frame is here; everything that follows belongs to this run. */
  onStarted(profile: SourceProfile, firstFrameMs: number): void;
  onInit(renditionName: string, bytes: Buffer): void;
  onSegment(renditionName: string, segment: FinishedSegment): void;
  /** The source is no longer what this run was made for; the caller begins another one. */
  onSourceChanged(reason: 'size' | 'time'): void;
  /** The encoder is gone, or makes nothing any more, and nobody asked for that. */
  onFailed(exit: EncoderExit): void;
}

/** A hole or a jump this long is not filled with repeated pictures. */
const longestGapMs = 4_000;
/** A size must have stood this long to be worth a new run: senders try sizes out. */
const sizeSettledMs = 3_000;
/** Frames kept while the encoder starts. */
const mostQueuedFrames = 2_000;

/** One stretch of a source through one encoder, from a keyframe until something breaks it. */
export class EncodingRun {
  private queue: TimedFrame[] = [];
  private profile: SourceProfile | undefined;
  private firstFrameMs: number | undefined;
  private lastVideoMs = 0;
  private otherSizeSince: number | undefined;
  private muxer: MatroskaMuxer | undefined;
  private readonly silence = new SilenceFiller();
  private encoder: EncoderRun | undefined;
  private starting: Promise<void> | undefined;
  private isDropping = false;
  private isOver = false;
  private lastOutputAt = 0;

  constructor(
    private readonly encoders: Encoder,
    private readonly options: EncodingRunOptions,
    private readonly listener: EncodingRunListener,
  ) {
    if (options.profile) this.startEncoder(options.profile);
  }

  get isWaitingForKeyframe(): boolean {
    return this.firstFrameMs === undefined && !this.isOver;
  }

  /** What the encoder was started for; undefined before. */
  get encodedProfile(): SourceProfile | undefined {
    return this.profile;
  }

  get encoderPid(): number | undefined {
    return this.encoder?.pid;
  }

  onFrame(frame: TimedFrame): void {
    if (this.isOver || !this.belongs(frame)) return;
    this.queue.push(frame);
    if (!this.profile) {
      if (!isObservedEnough(this.queue) && this.queue.length < mostQueuedFrames) return;
      this.startEncoder(profileSource(this.queue, this.options));
    }
    if (this.encoder) this.flush();
  }

  /** The input ends; resolves when the last segments are out. */
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

  /** Nothing before the first keyframe; nothing after a break. */
  private belongs(frame: TimedFrame): boolean {
    if (this.firstFrameMs === undefined) {
      if (!frame.size) return false;
      return this.begin(frame, frame.size);
    }
    if (frame.kind === 'audio') return frame.timeMs >= this.firstFrameMs;
    return !this.breaksTime(frame) && !this.breaksSize(frame);
  }

  private begin(frame: TimedFrame, size: FrameSize): boolean {
    if (this.profile && !isSameSize(this.profile.size, size)) return this.giveUp('size');
    this.firstFrameMs = frame.timeMs;
    this.lastVideoMs = frame.timeMs;
    this.lastOutputAt = Date.now();
    if (this.profile) this.listener.onStarted(this.profile, frame.timeMs);
    return true;
  }

  private breaksTime({ timeMs }: TimedFrame): boolean {
    const gap = timeMs - this.lastVideoMs;
    if (Math.abs(gap) > longestGapMs) return !this.giveUp('time');
    this.lastVideoMs = Math.max(this.lastVideoMs, timeMs);
    return false;
  }

  private breaksSize({ size, timeMs }: TimedFrame): boolean {
    if (size && this.profile) {
      if (isSameSize(size, this.profile.size)) this.otherSizeSince = undefined;
      else if (!isSameShape(size, this.profile.size)) return !this.giveUp('size');
      else this.otherSizeSince ??= timeMs;
    }
    const isSettled = this.otherSizeSince !== undefined && timeMs - this.otherSizeSince >= sizeSettledMs;
    return isSettled && !this.giveUp('size');
  }

  private giveUp(reason: 'size' | 'time'): false {
    this.isOver = true;
    this.listener.onSourceChanged(reason);
    return false;
  }

  private startEncoder(profile: SourceProfile): void {
    this.profile = profile;
    if (this.firstFrameMs !== undefined) this.listener.onStarted(profile, this.firstFrameMs);
    const { broadcastID, segmentSeconds, codecs } = this.options;
    const { frameRate, ladder: video } = profile;
    const plan = { broadcastID, segmentSeconds, frameRate, video, hasAudio: codecs.audio !== undefined };
    this.starting = this.encoders
      .start(plan, {
        onInit: (name, bytes) => this.listener.onInit(name, bytes),
        onSegment: (name, segment) => {
          this.lastOutputAt = Date.now();
          this.listener.onSegment(name, segment);
        },
        onExit: exit => this.onExit(exit),
      })
      .then(
        encoder => this.onEncoderStarted(encoder),
        (error: unknown) => this.fail([error instanceof Error ? error.message : String(error)]),
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
    const frames = this.queue;
    this.queue = [];
    for (const frame of frames) this.write(frame);
    const silentFor = Date.now() - this.lastOutputAt;
    if (frames.length > 0 && silentFor > this.longestSilenceMs && !this.isOver) this.onStalled();
  }

  /** An encoder that lives but makes nothing is as good as dead. */
  private onStalled(): void {
    void this.encoder?.close();
    this.fail([`the encoder made nothing for ${Math.round(this.longestSilenceMs / 1000)} s`]);
  }

  private get longestSilenceMs(): number {
    return 3 * this.options.segmentSeconds * 1000 + 15_000;
  }

  private write(frame: TimedFrame): void {
    const timeMs = frame.timeMs - this.firstFrameMs!;
    if (frame.kind === 'audio') {
      for (const piece of this.silence.onAudio({ timeMs, data: frame.data })) this.writeAudio(piece);
      return;
    }
    this.muxer ??= this.writeHeader(frame);
    if (this.isDropping && !frame.keyframe) return;
    const { data, keyframe } = frame;
    this.isDropping = !this.encoder!.write(this.muxer.block({ kind: 'video', timeMs, keyframe, data }));
    if (this.options.codecs.audio) for (const piece of this.silence.onVideo(timeMs)) this.writeAudio(piece);
  }

  private writeAudio({ timeMs, data }: { timeMs: number; data: Buffer }): void {
    this.encoder!.write(this.muxer!.block({ kind: 'audio', timeMs, keyframe: true, data }));
  }

  private writeHeader({ size, codecPrivate }: TimedFrame): MatroskaMuxer {
    const { video, audio } = this.options.codecs;
    const track = { codec: video.codec, size: size!, ...(codecPrivate && { codecPrivate }) };
    const muxer = new MatroskaMuxer(track, audio);
    this.encoder!.write(muxer.header());
    return muxer;
  }
}

function isSameSize(a: FrameSize, b: FrameSize): boolean {
  return a.width === b.width && a.height === b.height;
}

/** Within what rounding to even sizes makes of a shape. */
function isSameShape(a: FrameSize, b: FrameSize): boolean {
  const ratio = a.width / a.height / (b.width / b.height);
  return ratio > 0.95 && ratio < 1.05;
}
