import { MatroskaMuxer, type VideoTrack } from '../matroska/matroska-muxer.js';
import { SilenceFiller } from '../matroska/silence.js';
import { isKeyframe, type FeedCodecs, type TimedFrame } from './source-feed.js';

/** Where a stream is written to; false: what reads it is too slow. */
export interface StreamSink {
  write(data: Buffer): boolean;
}

/** Writes a source's frames as one Matroska stream whose time begins with the first of them. */
export class StreamWriter {
  private readonly muxer: MatroskaMuxer;
  private readonly silence = new SilenceFiller();
  private isDropping = false;

  constructor(
    private readonly sink: StreamSink,
    private readonly codecs: FeedCodecs,
    private readonly first: TimedFrame,
  ) {
    this.muxer = new MatroskaMuxer(videoTrack(codecs, first), codecs.audio);
    sink.write(this.muxer.header());
  }

  write(frame: TimedFrame): void {
    const timeMs = frame.timeMs - this.first.timeMs;
    if (frame.kind === 'video') return this.writeVideo(frame, timeMs);
    for (const piece of this.silence.onAudio({ timeMs, data: frame.data })) this.writeAudio(piece);
  }

  /** Behind a slow reader pictures are left out, from one keyframe to the next. */
  private writeVideo({ data, keyframe }: TimedFrame, timeMs: number): void {
    if (this.isDropping && !keyframe) return;
    this.isDropping = !this.sink.write(this.muxer.block({ kind: 'video', timeMs, keyframe, data }));
    if (this.codecs.audio) for (const piece of this.silence.onVideo(timeMs)) this.writeAudio(piece);
  }

  private writeAudio({ timeMs, data }: { timeMs: number; data: Buffer }): void {
    this.sink.write(this.muxer.block({ kind: 'audio', timeMs, keyframe: true, data }));
  }
}

function videoTrack({ video }: FeedCodecs, first: TimedFrame): VideoTrack | undefined {
  if (!video || !isKeyframe(first)) return undefined;
  const { size, codecPrivate } = first;
  return { codec: video.codec, size, ...(codecPrivate && { codecPrivate }) };
}
