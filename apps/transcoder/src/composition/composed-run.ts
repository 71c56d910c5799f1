import { SilenceFiller, silentFrameMs, silentOpusFrame } from '../encoder/matroska/stream-writer.js';
import { MatroskaMuxer, type MatroskaBlock, type VideoTrack } from '../encoder/matroska/matroska.js';
import type { ComposedCapture } from '../encoder/encoder.js';
import type { TimedFrame } from '../rtp/source-feed.js';
import { leadMs } from '../encoder/graph/composed-graph.js';

/** Runs begin and end at multiples of this: it has 3 pictures and 5 packets of Opus, so that parts join without a gap. */
export const gridMs = 100;
/** Sound that is later than this is replaced by silence. */
export const patienceMs = 400;

/** The inputs of a source in a run. */
export interface ComposedMedia {
  key: string;
  /** The track of the first picture. Absent: the run does not show the source. */
  picture?: VideoTrack;
  /** Absent: the run does not play the source. */
  sound?: { channels: number };
}

/** Feeds one FFmpeg during one layout: a clock, pictures and sounds on one timeline. */
export class ComposedRun {
  /** ms since 1970 at which the run ends. */
  endMs = Infinity;
  private readonly clock: ClockInput;
  private readonly pictures = new Map<string, PictureInput>();
  private readonly sounds = new Map<string, SoundInput>();
  private finishing: Promise<void> | undefined;

  /** `media` is in the order of the tiles; sources that are only heard follow. `beginMs`: ms since 1970. */
  constructor(
    readonly capture: ComposedCapture,
    readonly beginMs: number,
    media: readonly ComposedMedia[],
  ) {
    let inputs = 0;
    const nextInput = () => new Input(capture, inputs++);
    this.clock = new ClockInput(nextInput());
    for (const { key, picture } of media) if (picture) this.pictures.set(key, new PictureInput(nextInput(), picture));
    for (const { key, sound } of media) if (sound) this.sounds.set(key, new SoundInput(nextInput(), sound));
  }

  /** Returns whether the source needs a keyframe, because FFmpeg is too slow for its pictures. */
  onFrame(key: string, frame: TimedFrame): boolean {
    if (frame.timeMs >= this.endMs || this.finishing) return false;
    const timeMs = frame.timeMs - this.beginMs;
    if (frame.kind === 'video') return this.pictures.get(key)?.write(frame, timeMs) ?? false;
    if (timeMs >= 0) this.sounds.get(key)?.write(frame.data, timeMs);
    return false;
  }

  /** Writes the clock up to `nowMs`, and silence for sounds that are late. Media that came after `readMs` may not have been read. */
  advance(nowMs: number, readMs: number): void {
    if (this.finishing) return;
    this.clock.advance(Math.min(nowMs, this.endMs) - this.beginMs);
    const heardUntil = Math.min(readMs - patienceMs, this.endMs) - this.beginMs;
    for (const sound of this.sounds.values()) sound.fillTo(heardUntil);
  }

  /** The last picture stays, and the others do not wait for another one. Returns false if the run has no such input. */
  endPicture(key: string): boolean {
    return this.pictures.get(key)?.end() ?? false;
  }

  /** The sources whose pictures FFmpeg has read to the end. */
  drainedPictures(): string[] {
    return [...this.pictures].filter(([, { isDrained }]) => isDrained).map(([key]) => key);
  }

  /** Seconds of media after `finish`. */
  get seconds(): number {
    return (this.endMs - this.beginMs) / 1000;
  }

  /** Ends the run at `endMs`, which must be set. Resolves when the part is on the disk. */
  finish(): Promise<void> {
    if (!this.finishing) {
      this.advance(this.endMs, this.endMs + patienceMs);
      this.finishing = this.capture.finish();
    }
    return this.finishing;
  }

  /** Kills FFmpeg. The part keeps its complete fragments. */
  abandon(): Promise<void> {
    this.finishing ??= this.capture.close();
    return this.finishing;
  }
}

/** One Matroska stream. Times are ms from the beginning of the run, and may be negative. */
class Input {
  private isEnded = false;

  constructor(
    private readonly capture: ComposedCapture,
    private readonly index: number,
  ) {}

  /** Returns false when FFmpeg is too slow. */
  write(data: Buffer): boolean {
    return this.isEnded || this.capture.write(data, this.index);
  }

  block(muxer: MatroskaMuxer, block: MatroskaBlock): boolean {
    const isTaken = this.write(muxer.block({ ...block, timeMs: block.timeMs + leadMs }));
    if (!isTaken) muxer.breakCluster();
    return isTaken;
  }

  get isDrained(): boolean {
    return !this.isEnded && this.capture.queuedBytes(this.index) === 0;
  }

  end(): boolean {
    if (this.isEnded) return false;
    this.isEnded = true;
    this.capture.endInput(this.index);
    return true;
  }
}

const clockPicture = { codec: 'gray', size: { width: 2, height: 2 } } as const;
const blackPicture = Buffer.alloc(4);

/** The clock of a run: small pictures and silence, which set the pace of the picture and of the sound. */
class ClockInput {
  private readonly muxer = new MatroskaMuxer(clockPicture, { channels: 2 });
  private pictureMs = 0;
  private soundMs = 0;

  constructor(private readonly input: Input) {
    input.write(this.muxer.header());
  }

  advance(toMs: number): void {
    for (; this.soundMs + silentFrameMs <= toMs; this.soundMs += silentFrameMs) {
      // The picture at the end of the run ends the picture before it.
      for (; this.pictureMs <= this.soundMs + silentFrameMs; this.pictureMs += gridMs)
        this.write('video', this.pictureMs, blackPicture);
      this.write('audio', this.soundMs, silentOpusFrame);
    }
  }

  private write(kind: 'audio' | 'video', timeMs: number, data: Buffer): void {
    this.input.block(this.muxer, { kind, timeMs, keyframe: true, data });
  }
}

class PictureInput {
  private readonly muxer: MatroskaMuxer;
  private lastMs = -leadMs;
  private isDropping = false;

  constructor(
    private readonly input: Input,
    track: VideoTrack,
  ) {
    this.muxer = new MatroskaMuxer(track);
    input.write(this.muxer.header());
  }

  get isDrained(): boolean {
    return this.input.isDrained;
  }

  end(): boolean {
    return this.input.end();
  }

  /** Drops pictures until the next keyframe while FFmpeg is too slow. Returns whether it began to. */
  write({ data, keyframe }: TimedFrame, timeMs: number): boolean {
    if (timeMs <= -leadMs || (this.isDropping && !keyframe)) return false;
    this.lastMs = Math.max(timeMs, this.lastMs + 1);
    const wasDropping = this.isDropping;
    this.isDropping = !this.input.block(this.muxer, { kind: 'video', timeMs: this.lastMs, keyframe, data });
    return this.isDropping && !wasDropping;
  }
}

class SoundInput {
  private readonly muxer: MatroskaMuxer;
  private readonly silence = new SilenceFiller();

  constructor(
    private readonly input: Input,
    sound: { channels: number },
  ) {
    this.muxer = new MatroskaMuxer(undefined, sound);
    input.write(this.muxer.header());
  }

  write(data: Buffer, timeMs: number): void {
    for (const piece of this.silence.onAudio({ timeMs, data })) this.block(piece);
  }

  fillTo(timeMs: number): void {
    for (const piece of this.silence.fillTo(timeMs)) this.block(piece);
  }

  private block({ timeMs, data }: { timeMs: number; data: Buffer }): void {
    this.input.block(this.muxer, { kind: 'audio', timeMs, keyframe: true, data });
  }
}
