import { fitsTargetDuration, type MediaPlaylist } from './playlist.js';
import type { SegmentSet } from './run.js';

export interface PublishedSet {
  segments: SegmentSet;
  discontinuity: boolean;
}

export type RenditionListing = Pick<MediaPlaylist, 'mediaSequence' | 'discontinuitySequence' | 'segments'>;

/**
 * Where the numbers of a broadcast go on that has been published elsewhere for a time. Runs that ended early made
 * segments shorter than the rule; twice as many as the time has room for are more than there can have been.
 */
export function firstNumberOf(ageSeconds: number, segmentSeconds: number): number {
  return Math.ceil((2 * ageSeconds) / segmentSeconds);
}

/**
 * What a live playlist lists (the last `windowSegments` sets), and what was removed from it and can still be
 * fetched (as many again, for players that hold an older playlist).
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
    /** Of the first segment. Above 0 it goes on with what another node has published. */
    firstNumber = 0,
  ) {
    this.removed = firstNumber;
    this.removedDiscontinuities = firstNumber;
  }

  get isEmpty(): boolean {
    return this.listed.length === 0;
  }

  /** What one rendition has of it. One that came later than the others begins later, with the numbers they have there. */
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

  /** Everything that a player may still ask for. */
  get fetchable(): readonly PublishedSet[] {
    return [...this.retained, ...this.listed];
  }

  /** The next set does not continue the last one. Before the first set there is nothing to break. */
  breakTimeline(): void {
    this.discontinuityDue = this.removed + this.listed.length > 0;
  }

  /**
   * Publishes a set and answers the sets that nobody may fetch from now on. A set with a segment over the target
   * duration is never listed: the target may not change, so the stretch is left out and the timeline broken.
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
