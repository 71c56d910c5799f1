import { MatroskaMuxer } from '../matroska/matroska-muxer.js';
import { SilenceFiller } from '../matroska/silence.js';
import type { EncoderRun } from './encoder/encoder.js';
import type { FeedCodecs, Keyframe, TimedFrame } from './source-feed.js';

/** Writes a source's frames into an encoder, as one Matroska stream whose time begins with the first keyframe. */
export class StreamWriter {
  private readonly muxer: MatroskaMuxer;
  private readonly silence = new SilenceFiller();
  private isDropping = false;

  constructor(
    private readonly encoder: EncoderRun,
    private readonly codecs: FeedCodecs,
    private readonly first: Keyframe,
  ) {
    const { size, codecPrivate } = first;
    const track = { codec: codecs.video.codec, size, ...(codecPrivate && { codecPrivate }) };
    this.muxer = new MatroskaMuxer(track, codecs.audio);
    encoder.write(this.muxer.header());
  }

  write(frame: TimedFrame): void {
    const timeMs = frame.timeMs - this.first.timeMs;
    if (frame.kind === 'video') return this.writeVideo(frame, timeMs);
    for (const piece of this.silence.onAudio({ timeMs, data: frame.data })) this.writeAudio(piece);
  }

  /** Behind a slow encoder pictures are left out, from one keyframe to the next. */
  private writeVideo({ data, keyframe }: TimedFrame, timeMs: number): void {
    if (this.isDropping && !keyframe) return;
    this.isDropping = !this.encoder.write(this.muxer.block({ kind: 'video', timeMs, keyframe, data }));
    if (this.codecs.audio) for (const piece of this.silence.onVideo(timeMs)) this.writeAudio(piece);
  }

  private writeAudio({ timeMs, data }: { timeMs: number; data: Buffer }): void {
    this.encoder.write(this.muxer.block({ kind: 'audio', timeMs, keyframe: true, data }));
  }
}
