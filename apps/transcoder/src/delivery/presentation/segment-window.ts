import { fitsTargetDuration, type ListedSegment, type MediaPlaylist } from './playlists/playlist.js';
import type { SegmentSet } from './run-segments.js';

export interface PublishedSet {
  segments: SegmentSet;
  discontinuity: boolean;
  /** The segments as playlists list them, by rendition. */
  entries: ReadonlyMap<string, ListedSegment>;
  byteLength: number;
  durationSeconds: number;
}

export type RenditionListing = Pick<MediaPlaylist, 'mediaSequence' | 'discontinuitySequence' | 'segments'>;

/** The last segment of a rendition's playlist, with its media sequence number. */
export interface LastSegment {
  msn: number;
  uri: string;
}

/**
 * Returns the first media sequence number for a broadcast that another node has published for `ageSeconds`. Runs that ended
 * early have shorter segments, so twice the regular number exceeds every used number.
 */
export function firstNumberOf(ageSeconds: number, segmentSeconds: number): number {
  return Math.ceil((2 * ageSeconds) / segmentSeconds);
}

/**
 * The listed sets of a live playlist: the last `windowSegments`, or `dvrSegments` if that is more. It also has the last
 * `windowSegments` removed sets, which remain fetchable for players with an older playlist.
 */
export class SegmentWindow {
  private listed: PublishedSet[] = [];
  private retained: PublishedSet[] = [];
  private removed: number;
  private removedDiscontinuities: number;
  private discontinuityDue = false;
  private listedBytes = 0;
  /** By rendition, until the listings change. */
  private readonly lasts = new Map<string, LastSegment>();

  constructor(
    private readonly windowSegments: number,
    private readonly targetDurationSeconds: number,
    /** Media sequence number of the first segment; above 0 if another node has published before. */
    firstNumber = 0,
    /** Sets that players can seek back to. */
    private readonly dvrSegments = 0,
  ) {
    this.removed = firstNumber;
    this.removedDiscontinuities = firstNumber;
  }

  get isEmpty(): boolean {
    return this.listed.length === 0;
  }

  /** Returns the listing of a rendition. A rendition that was added later starts later, with the same numbers as the others. */
  listingOf(renditionName: string): RenditionListing | undefined {
    const first = this.listed.findIndex(({ segments }) => segments.has(renditionName));
    if (first < 0) return undefined;
    const before = this.listed.slice(0, first);
    return {
      mediaSequence: this.removed + before.length,
      discontinuitySequence: this.removedDiscontinuities + before.filter(({ discontinuity }) => discontinuity).length,
      segments: this.listed.flatMap(({ entries }) => entries.get(renditionName) ?? []),
    };
  }

  /** Lists at most once for each change, because each waiting player asks many times between two changes. */
  lastOf(renditionName: string): LastSegment | undefined {
    const known = this.lasts.get(renditionName);
    if (known) return known;
    const listing = this.listingOf(renditionName);
    const uri = listing?.segments.at(-1)?.uri;
    if (!listing || uri === undefined) return undefined;
    const last = { msn: listing.mediaSequence + listing.segments.length - 1, uri };
    this.lasts.set(renditionName, last);
    return last;
  }

  /** Files of the last sets, at least of so many target durations in each rendition. */
  recentFiles(targetDurations: number): string[] {
    const files: string[] = [];
    let seconds = 0;
    for (const { segments } of this.listed.toReversed()) {
      if (seconds > targetDurations * this.targetDurationSeconds) break;
      files.push(...[...segments.values()].map(({ file }) => file));
      seconds += Math.min(...[...segments.values()].map(({ durationSeconds }) => durationSeconds));
    }
    return files;
  }

  /** Whether the next set begins with a discontinuity. */
  get isBroken(): boolean {
    return this.discontinuityDue;
  }

  /** Seconds of media that playlists list. */
  get listedSeconds(): number {
    return this.listed.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  }

  /** Bytes of listed sets that are older than the last `windowSegments`. */
  get dvrBytes(): number {
    return this.listedBytes - this.listed.slice(-this.windowSegments).reduce((sum, set) => sum + set.byteLength, 0);
  }

  /** All sets that a player may still request. */
  get fetchable(): readonly PublishedSet[] {
    return [...this.retained, ...this.listed];
  }

  /** Marks the next set as a discontinuity, unless it is the first set. */
  breakTimeline(): void {
    this.discontinuityDue = this.removed + this.listed.length > 0;
  }

  /**
   * Publishes a set and returns the sets that are no longer fetchable. Skips a set with a segment above the target duration
   * and marks a discontinuity, because the target duration must not change.
   */
  push(segments: SegmentSet): SegmentSet[] {
    const fits = [...segments.values()].every(s => fitsTargetDuration(s.durationSeconds, this.targetDurationSeconds));
    if (!fits) {
      this.breakTimeline();
      return [segments];
    }
    const published = publishedSet(segments, this.discontinuityDue);
    this.listed.push(published);
    this.lasts.clear();
    this.listedBytes += published.byteLength;
    this.discontinuityDue = false;
    return this.listed.length > Math.max(this.windowSegments, this.dvrSegments) ? this.removeOldest() : [];
  }

  /** Removes the oldest set from the playlists, unless they would get shorter than `windowSegments`. Returns sets as `push` does. */
  giveUpOldest(): SegmentSet[] {
    return this.listed.length > this.windowSegments ? this.removeOldest() : [];
  }

  private removeOldest(): SegmentSet[] {
    this.lasts.clear();
    for (const oldest of this.listed.splice(0, 1)) {
      this.removed += 1;
      this.listedBytes -= oldest.byteLength;
      if (oldest.discontinuity) this.removedDiscontinuities += 1;
      this.retained.push(oldest);
    }
    const surplus = Math.max(0, this.retained.length - this.windowSegments);
    return this.retained.splice(0, surplus).map(({ segments }) => segments);
  }
}

function publishedSet(segments: SegmentSet, discontinuity: boolean): PublishedSet {
  const stored = [...segments];
  return {
    ...{ segments, discontinuity },
    entries: new Map(
      stored.map(([name, { file, mapFile, durationSeconds, programDateTime }]) => [
        name,
        { uri: file, mapUri: mapFile, durationSeconds, programDateTime, discontinuity },
      ]),
    ),
    byteLength: stored.reduce((sum, [, { byteLength }]) => sum + byteLength, 0),
    durationSeconds: Math.max(...stored.map(([, { durationSeconds }]) => durationSeconds)),
  };
}
