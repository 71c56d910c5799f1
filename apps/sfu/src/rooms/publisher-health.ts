import type { Clock } from '@rtms/clock';
import { exceedsBounds, type HealthCode, type SourceBounds, type TrackStatistics } from '@rtms/contracts';
import type { PublishedTrack } from '../media/media-engine.js';
import { codecNameOf } from '../media/codecs.js';
import type { Picture } from '../media/health/stream-meters.js';

export interface Health {
  codes: HealthCode[];
  /** Of a video track; undefined if unknown. */
  keyframeIntervalSeconds?: number | undefined;
}

/** Measuring the pictures takes 1.5 s, so the next call returns the result. */
const lookMs = 3_000;
/** Each measurement costs a keyframe and a second of packets in this process, so sound streams are measured seldom. */
const nextLookMs = { above: 15_000, within: 60_000 };

/** Frames are counted for 1.5 s, and some of 60 frames a second arrive early or late. */
const rateTolerance = 1.1;

/** The health of one publisher: the health of its tracks, and pictures larger than the account's limit. */
export class PublisherHealth {
  private readonly tracks = new Map<string, Health>();
  private isPictureAbove = false;
  private nextLookAt = Number.NEGATIVE_INFINITY;
  /** A measurement has begun. The next call reads its result. */
  private hasLooked = false;

  /** Calls `onChange` with all health codes when they change. `known`: codes that hold from the beginning. */
  constructor(
    private readonly maxSource: SourceBounds | undefined,
    private readonly known: readonly HealthCode[],
    private readonly clock: Clock,
    private readonly onChange: (health: Health) => void,
  ) {}

  get current(): Health {
    const all = [...this.tracks.values()];
    const codes = new Set([...this.known, ...all.flatMap(track => track.codes)]);
    if (this.isPictureAbove) codes.add('picture_too_large');
    const intervals = all.map(({ keyframeIntervalSeconds }) => keyframeIntervalSeconds);
    return { codes: [...codes], keyframeIntervalSeconds: intervals.find(each => each !== undefined) };
  }

  get hasBFrames(): boolean {
    return this.current.codes.includes('b_frames');
  }

  follow(track: PublishedTrack): void {
    track.onHealthChange((codes, keyframeIntervalSeconds) => {
      this.tracks.set(track.trackID, { codes, keyframeIntervalSeconds });
      this.onChange(this.current);
    });
    track.onEnded(() => this.tracks.delete(track.trackID));
  }

  /** Measures the pictures when a measurement is due. Call it often while media arrives. Never rejects. */
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

/** If the size is unknown, only the transcoder checks it. */
function isAbove({ width, height, frameRate }: Picture, maxSource: SourceBounds): boolean {
  if (width === null || height === null) return false;
  return exceedsBounds(maxSource, { width, height }, (frameRate ?? 0) / rateTolerance);
}

/** Reception statistics of a track; undefined if the track ends meanwhile. `isPassive`: without a new measurement of pictures. */
export async function statisticsOf(track: PublishedTrack, isPassive = false): Promise<TrackStatistics | undefined> {
  const { trackID, kind, codec } = track;
  try {
    return { trackID, kind, codec: codecNameOf(codec), ...(await track.reception({ isPassive })) };
  } catch (error) {
    if (track.state === 'ended') return undefined;
    throw error;
  }
}
