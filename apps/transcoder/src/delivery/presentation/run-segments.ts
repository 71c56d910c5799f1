/** A rendition of one encoder run. */
export type RunRendition =
  | {
      kind: 'video';
      /** Part of the playlist's path; the same in all runs of a broadcast. */
      name: string;
      /** Name in the API, e.g. `720p`; default: `name`. */
      label?: string;
      width: number;
      height: number;
      /** Frames per second. */
      frameRate: number;
      /** Target bit rate of the encoder, bits per second. */
      bitrate: number;
    }
  | { kind: 'audio'; name: string; bitrate: number; channels: number; language?: string };

/** The published segments of one encoder process. Each rendition has one init segment per run. */
export interface PublishedRun {
  renditions: readonly RunRendition[];
  /** Also makes the file names of the run unique across runs and nodes. */
  startsAt: Date;
}

export interface EncodedSegment {
  bytes: Buffer;
  durationSeconds: number;
  programDateTime: Date;
}

/** A segment in the store. */
export interface StoredSegment {
  /** File name below the rendition's path. */
  file: string;
  mapFile: string;
  byteLength: number;
  durationSeconds: number;
  programDateTime: Date;
}

/** The segments of all renditions for the same time. */
export type SegmentSet = ReadonlyMap<string, StoredSegment>;

/**
 * Collects the segments of a run until every rendition has its segment for the same time. So all playlists are cut at the same
 * media times and use the same numbers.
 */
export class RunSegments {
  private readonly added = new Map<string, number>();
  private readonly incomplete = new Map<number, Map<string, StoredSegment>>();
  private next = 0;

  constructor(private readonly renditionNames: readonly string[]) {}

  /**
   * Returns the index of the rendition's next segment in the run, from 0. Throws if it is `mostAhead` or more ahead of the
   * slowest rendition, because that encoder is broken and segments would pile up.
   */
  takeIndex(renditionName: string, mostAhead: number): number {
    const index = this.added.get(renditionName) ?? 0;
    const slowest = Math.min(...this.renditionNames.map(name => this.added.get(name) ?? 0));
    if (index - slowest >= mostAhead) throw new Error(`rendition ${renditionName} is ${mostAhead} segments ahead`);
    this.added.set(renditionName, index + 1);
    return index;
  }

  /** The index of the rendition's segment that the encoder writes now. */
  openIndex(renditionName: string): number {
    return this.added.get(renditionName) ?? 0;
  }

  /** The index of the first set that is not listed. */
  get nextIndex(): number {
    return this.next;
  }

  /** Adds a stored segment and returns the sets that are complete now, in order. */
  add(renditionName: string, index: number, segment: StoredSegment): SegmentSet[] {
    const set = this.incomplete.get(index) ?? new Map<string, StoredSegment>();
    this.incomplete.set(index, set.set(renditionName, segment));
    return this.takeWhole();
  }

  /** Returns the segments of incomplete sets. */
  leftOver(): { renditionName: string; file: string }[] {
    return [...this.incomplete.values()].flatMap(set =>
      [...set].map(([renditionName, { file }]) => ({ renditionName, file })),
    );
  }

  private takeWhole(): SegmentSet[] {
    const whole: SegmentSet[] = [];
    for (let set = this.incomplete.get(this.next); set?.size === this.renditionNames.length;) {
      whole.push(set);
      this.incomplete.delete(this.next);
      this.next += 1;
      set = this.incomplete.get(this.next);
    }
    return whole;
  }
}
