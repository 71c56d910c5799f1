import { MatroskaMuxer, type MatroskaBlock, type VideoTrack } from './matroska.js';
import { isKeyframe, type FeedCodecs, type TimedFrame } from '../../rtp/source-feed.js';
import { opusDurationMs } from '../../rtp/depacketizer.js';

/** Destination of a stream. `write` returns false when the reader is too slow. */
export interface StreamSink {
  write(data: Buffer): boolean;
}

/** Writes frames as one Matroska stream. Time 0 is the first frame. */
export class StreamWriter {
  private readonly muxer: MatroskaMuxer;
  /** Broadcasts have AAC without gaps. */
  private readonly silence: SilenceFiller | undefined;
  private isDropping = false;

  constructor(
    private readonly sink: StreamSink,
    codecs: FeedCodecs,
    private readonly first: TimedFrame,
  ) {
    this.muxer = new MatroskaMuxer(videoTrack(codecs, first), codecs.audio);
    if (codecs.audio && !codecs.audio.aacSetup) this.silence = new SilenceFiller();
    sink.write(this.muxer.header());
  }

  write(frame: TimedFrame): void {
    const timeMs = frame.timeMs - this.first.timeMs;
    if (frame.kind === 'video') return this.writeVideo(frame, timeMs);
    const piece = { timeMs, data: frame.data };
    for (const each of this.silence?.onAudio(piece) ?? [piece]) this.writeAudio(each);
  }

  /** Drops video until the next keyframe while the reader is too slow. */
  private writeVideo({ data, keyframe }: TimedFrame, timeMs: number): void {
    if (this.isDropping && !keyframe) return;
    this.isDropping = !this.writeBlock({ kind: 'video', timeMs, keyframe, data });
    for (const piece of this.silence?.onVideo(timeMs) ?? []) this.writeAudio(piece);
  }

  private writeAudio({ timeMs, data }: { timeMs: number; data: Buffer }): void {
    this.writeBlock({ kind: 'audio', timeMs, keyframe: true, data });
  }

  /** A slow reader may have lost the block. */
  private writeBlock(block: MatroskaBlock): boolean {
    const isTaken = this.sink.write(this.muxer.block(block));
    if (!isTaken) this.muxer.breakCluster();
    return isTaken;
  }
}

function videoTrack({ video }: FeedCodecs, first: TimedFrame): VideoTrack | undefined {
  if (!video || !isKeyframe(first)) return undefined;
  const { size, codecPrivate } = first;
  return { codec: video.codec, size, ...(codecPrivate && { codecPrivate }) };
}

/** 20 ms of silence, full band, stereo. libopus sends these bytes for digital silence. */
export const silentOpusFrame = Buffer.of(0xfc, 0xff, 0xfe);
export const silentFrameMs = 20;

/** ms that audio may be behind the video before silence is inserted. */
const patienceMs = 400;
/** A gap in the audio may reach this far ahead of real time: a run begins with frames that have waited. */
const mostAheadMs = 30_000;
/** The decoder's resampler fills shorter gaps. */
const smallestHoleMs = 30;

export interface AudioPiece {
  /** ms since the start of the run. */
  timeMs: number;
  data: Buffer;
}

/** Fills gaps in the audio of a run with silence. */
export class SilenceFiller {
  /** End of the audio so far, ms since the start of the run. */
  private end = 0;
  private readonly beganAt: number;

  /** `now`: monotonic, ms. */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.beganAt = now();
  }

  /** Returns the audio, preceded by silence for a gap. Returns nothing for audio that is too late, or whose gap reaches into the future. */
  onAudio(piece: AudioPiece): AudioPiece[] {
    const durationMs = opusDurationMs(piece.data);
    if (durationMs === 0 || piece.timeMs < this.end - durationMs / 2) return [];
    const hasGap = piece.timeMs - this.end >= smallestHoleMs;
    // A wrong time would cost memory and the event loop, and silence the audio that follows.
    if (hasGap && piece.timeMs > this.now() - this.beganAt + mostAheadMs) return [];
    const silence = hasGap ? this.fillTo(piece.timeMs) : [];
    const timeMs = Math.max(piece.timeMs, this.end);
    this.end = timeMs + durationMs;
    return [...silence, { ...piece, timeMs }];
  }

  /** Returns silence for audio that is more than `patienceMs` behind the video at `timeMs`. */
  onVideo(timeMs: number): AudioPiece[] {
    return timeMs - this.end > patienceMs ? this.fillTo(timeMs - patienceMs / 2) : [];
  }

  /** Returns silence up to `timeMs`. */
  fillTo(timeMs: number): AudioPiece[] {
    const pieces: AudioPiece[] = [];
    for (; this.end + silentFrameMs <= timeMs; this.end += silentFrameMs) {
      pieces.push({ timeMs: this.end, data: silentOpusFrame });
    }
    return pieces;
  }
}
