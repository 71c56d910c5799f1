import type { Clock } from '@rtms/clock';
import { exceedsBounds, type HealthCode, type SourceBounds } from '@rtms/contracts';
import type { PublishedTrack } from '../media/media-engine.js';
import { statisticsOf } from './track-statistics.js';

export interface Health {
  codes: HealthCode[];
  /** Of a video track, where it is known. */
  keyframeIntervalSeconds?: number | undefined;
}

/** A look at the pictures takes 1.5 s and shows with the next question. */
const lookMs = 3_000;
/** Each look costs a keyframe and a second of packets in this process: seldom where all was well. */
const nextLookMs = { above: 15_000, within: 60_000 };

/** Arrivals are counted for 1.5 s: some of 60 frames a second come too early or too late. */
const rateTolerance = 1.1;

/** Everything that is wrong with one publisher: what its tracks tell, and pictures above what its account may have encoded. */
export class PublisherHealth {
  private readonly tracks = new Map<string, Health>();
  private isPictureAbove = false;
  private nextLookAt = Number.NEGATIVE_INFINITY;
  /** A look has begun, and the next question reads what it saw. */
  private hasLooked = false;

  /** Calls `onChange` with all that is wrong, whenever that changes. */
  constructor(
    private readonly maxSource: SourceBounds | undefined,
    private readonly clock: Clock,
    private readonly onChange: (health: Health) => void,
  ) {}

  get current(): Health {
    const all = [...this.tracks.values()];
    const codes = new Set(all.flatMap(track => track.codes));
    if (this.isPictureAbove) codes.add('picture_too_large');
    const intervals = all.map(({ keyframeIntervalSeconds }) => keyframeIntervalSeconds);
    return { codes: [...codes], keyframeIntervalSeconds: intervals.find(each => each !== undefined) };
  }

  follow(track: PublishedTrack): void {
    track.onHealthChange((codes, keyframeIntervalSeconds) => {
      this.tracks.set(track.trackID, { codes, keyframeIntervalSeconds });
      this.onChange(this.current);
    });
    track.onEnded(() => this.tracks.delete(track.trackID));
  }

  /** Asks the tracks for their pictures when it is time to. Call it often while media arrives; it never rejects. */
  async watchPictures(tracks: readonly PublishedTrack[]): Promise<void> {
    const { maxSource } = this;
    const now = this.clock.now();
    const videos = tracks.filter(({ kind }) => kind === 'video');
    if (!maxSource || now < this.nextLookAt || videos.length === 0) return;
    this.nextLookAt = now + lookMs;
    const seen = await Promise.all(videos.map(track => statisticsOf(track).catch(() => undefined)));
    if (this.hasLooked)
      this.judge(
        seen.some(each => each !== undefined && isAbove(each, maxSource)),
        now,
      );
    this.hasLooked = !this.hasLooked;
  }

  private judge(isPictureAbove: boolean, now: number): void {
    this.nextLookAt = now + (isPictureAbove ? nextLookMs.above : nextLookMs.within);
    if (this.isPictureAbove === isPictureAbove) return;
    this.isPictureAbove = isPictureAbove;
    this.onChange(this.current);
  }
}

interface Picture {
  width: number | null;
  height: number | null;
  frameRate: number | null;
}

/** A stream that does not tell its size is judged by the transcoder alone. */
function isAbove({ width, height, frameRate }: Picture, maxSource: SourceBounds): boolean {
  if (width === null || height === null) return false;
  return exceedsBounds(maxSource, { width, height }, (frameRate ?? 0) / rateTolerance);
}
