import { fitsTargetDuration, type MediaPlaylist } from './playlist.js';
import type { SegmentSet } from './run-segments.js';

export interface PublishedSet {
  segments: SegmentSet;
  discontinuity: boolean;
}

export type RenditionListing = Pick<MediaPlaylist, 'mediaSequence' | 'discontinuitySequence' | 'segments'>;

/**
 * Returns the first media sequence number for a broadcast that another node has published for `ageSeconds`. Runs that ended
 * early have shorter segments, so twice the regular number exceeds every used number.
 */
export function firstNumberOf(ageSeconds: number, segmentSeconds: number): number {
  return Math.ceil((2 * ageSeconds) / segmentSeconds);
}

/**
 * The listed sets of a live playlist (the last `windowSegments`), and as many removed sets that remain fetchable for players
 * with an older playlist.
 */
export class SegmentWindow {
  private listed: PublishedSet[] = [];
  private retained: PublishedSet[] = [];
  private removed: number;
  private removedDiscontinuities: number;
  private discontinuityDue = false;

  constructor(
    private readonly windowSegments: number,
    private readonly targetDurationSeconds: number,
    /** Media sequence number of the first segment; above 0 if another node has published before. */
    firstNumber = 0,
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
      segments: this.listed.slice(first).flatMap(({ segments, discontinuity }) => {
        const segment = segments.get(renditionName);
        return segment ? [{ ...segment, uri: segment.file, mapUri: segment.mapFile, discontinuity }] : [];
      }),
    };
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
    this.listed.push({ segments, discontinuity: this.discontinuityDue });
    this.discontinuityDue = false;
    return this.slide();
  }

  private slide(): SegmentSet[] {
    if (this.listed.length <= this.windowSegments) return [];
    for (const oldest of this.listed.splice(0, 1)) {
      this.removed += 1;
      if (oldest.discontinuity) this.removedDiscontinuities += 1;
      this.retained.push(oldest);
    }
    const surplus = Math.max(0, this.retained.length - this.windowSegments);
    return this.retained.splice(0, surplus).map(({ segments }) => segments);
  }
}
