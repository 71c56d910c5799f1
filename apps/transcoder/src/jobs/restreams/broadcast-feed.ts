import type { Clock, Timer } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { SerialQueue } from '@rtms/node';
import { readSamples, readTrack, type Mp4Track } from '../../delivery/presentation/fragmented-mp4.js';
import type { Presentation } from '../../delivery/presentation/presentation.js';
import type { SegmentSet } from '../../delivery/presentation/run-segments.js';
import { audioRenditionName, bestRenditionName } from '../../encoder/encoder.js';
import type { Feed, FeedCodecs, FeedListener, OpenFeed, TimedFrame } from '../../rtp/source-feed.js';

/** Segments arrive late by the time that the encoder and the storage take, so that frames wait for this long. */
const bufferMs = 500;
const passEveryMs = 20;
/** Frames further ahead of the clock are passed at once, so that the memory is bounded. */
const mostAheadMs = 15_000;
/** Segments that wait for the storage. */
const mostWaiting = 5;
/** After segments that came too late, frames wait for up to so long more. */
const longestDelayMs = 5_000;

/** The best rendition of a broadcast that this node encodes, and its sound, at the speed of the source. */
export class BroadcastFeed implements Feed {
  private readonly reading = new SerialQueue();
  private waiting = 0;
  private readonly inits = new Map<string, Promise<Mp4Track>>();
  private queue: TimedFrame[] = [];
  private run: { mapFile: string; offsetMs: number } | undefined;
  /** End of the media so far, on the timeline of the clock. */
  private endMs = 0;
  /** Frames are passed so long after their times: the longest time by which a segment was late. */
  private delayMs = 0;
  private hasEnded = false;
  private readonly timer: Timer;
  private readonly ignore: () => void;

  private constructor(
    private readonly presentation: Presentation,
    readonly codecs: FeedCodecs,
    private readonly listener: FeedListener,
    private readonly clock: Clock,
  ) {
    this.ignore = presentation.onListed(set => this.onListed(set));
    this.timer = clock.every(passEveryMs, () => this.pass());
  }

  /** Returns a function that throws ServiceError `source_not_active` unless this node encodes the broadcast now. */
  static opener(registry: { get(broadcastID: string): Presentation | undefined }, clock: Clock): OpenFeed {
    return async (_bus, { sourceID }, _needs, listener) => {
      const presentation = registry.get(sourceID);
      const newest = presentation?.newest;
      if (!presentation || presentation.ended || !newest)
        throw new ServiceError('source_not_active', 'The broadcast has no media on this transcoder now.');
      const sound = newest.get(audioRenditionName);
      const setup = sound && (await readInit(presentation, audioRenditionName, sound.mapFile)).setup;
      const codecs: FeedCodecs = {
        video: { codec: 'h264' },
        ...(setup && { audio: { channels: 2, aacSetup: setup } }),
      };
      const feed = new BroadcastFeed(presentation, codecs, listener, clock);
      feed.onListed(newest);
      return feed;
    };
  }

  senderTimeOf(timeMs: number): number {
    return timeMs;
  }

  /** The encoder makes a keyframe at the start of each segment. */
  requestKeyframe(): void {
    return undefined;
  }

  async close(): Promise<void> {
    this.hasEnded = true;
    this.ignore();
    this.timer.cancel();
    this.queue = [];
    await this.reading.idle();
  }

  private onListed(set: SegmentSet): void {
    if (this.hasEnded || this.waiting >= mostWaiting) return;
    this.waiting += 1;
    void this.reading
      .run(() => this.read(set))
      // A segment that is gone leaves a gap, as a lost packet does.
      .catch(() => this.listener.onDamage())
      .finally(() => (this.waiting -= 1));
  }

  private async read(set: SegmentSet): Promise<void> {
    const names = [bestRenditionName, ...(this.codecs.audio ? [audioRenditionName] : [])];
    const frames = (await Promise.all(names.map(name => this.framesOf(name, set)))).flat();
    frames.sort((one, other) => one.timeMs - other.timeMs);
    const first = frames[0]?.timeMs;
    if (this.hasEnded || first === undefined) return;
    const mapFile = set.get(bestRenditionName)?.mapFile ?? '';
    // The times of each run begin at 0.
    if (this.run?.mapFile !== mapFile)
      this.run = { mapFile, offsetMs: Math.max(this.endMs, this.clock.now() + bufferMs - this.delayMs) - first };
    const { offsetMs } = this.run;
    // Else each later segment would come too late as well, and the target would get all media in bursts.
    this.delayMs = Math.min(longestDelayMs, Math.max(this.delayMs, this.clock.now() - (first + offsetMs)));
    for (const { endMs, ...frame } of frames) {
      this.queue.push({ ...frame, timeMs: frame.timeMs + offsetMs });
      this.endMs = Math.max(this.endMs, endMs + offsetMs);
    }
  }

  private async framesOf(name: string, set: SegmentSet): Promise<(TimedFrame & { endMs: number })[]> {
    const stored = set.get(name);
    if (!stored) return [];
    const [track, bytes] = await Promise.all([
      this.initOf(name, stored.mapFile),
      this.presentation.segment(`${name}/${stored.file}`),
    ]);
    if (!bytes) throw new Error(`the segment ${name}/${stored.file} is gone`);
    const { kind, size, setup } = track;
    const receivedAt = this.clock.now();
    return readSamples(track, bytes).map(({ timeMs, durationMs, keyframe, data }) => ({
      ...{ kind, data, keyframe, timeMs, endMs: timeMs + durationMs, rtpTimestamp: 0, receivedAt },
      ...(kind === 'video' && keyframe && size && { size, codecPrivate: setup }),
    }));
  }

  /** Keeps the init segment of the current run only. */
  private async initOf(name: string, mapFile: string): Promise<Mp4Track> {
    const path = `${name}/${mapFile}`;
    const known = this.inits.get(path);
    if (known) return known;
    for (const other of this.inits.keys()) if (other.startsWith(`${name}/`)) this.inits.delete(other);
    const track = readInit(this.presentation, name, mapFile);
    this.inits.set(path, track);
    track.catch(() => this.inits.delete(path));
    return track;
  }

  private pass(): void {
    const now = this.clock.now();
    let due = 0;
    for (const { timeMs } of this.queue) {
      if (timeMs + this.delayMs > now && this.endMs - timeMs <= mostAheadMs) break;
      due += 1;
    }
    for (const frame of this.queue.splice(0, due)) this.listener.onFrame(frame);
  }
}

async function readInit(presentation: Presentation, name: string, mapFile: string): Promise<Mp4Track> {
  const bytes = await presentation.segment(`${name}/${mapFile}`);
  if (!bytes) throw new ServiceError('source_not_active', 'The broadcast has no media on this transcoder now.');
  return readTrack(bytes);
}
