/** A rendition as one run of the encoder makes it. */
export type RunRendition =
  | {
      kind: 'video';
      /** Stands in the path of its playlist; the same in every run of a broadcast. */
      name: string;
      /** As the API shows it, e.g. `720p`; its name where there is none. */
      label?: string;
      width: number;
      height: number;
      /** Frames a second. */
      frameRate: number;
      /** Bits a second that the encoder was told to stay at. */
      bitrate: number;
    }
  | { kind: 'audio'; name: string; bitrate: number; channels: number; language?: string };

/** One life of the encoder: from its first segment to its last, all decoded with one init segment a rendition. */
export interface EncoderRun {
  renditions: readonly RunRendition[];
  /** Also makes the names of the run's files unlike those of any other run, here or on another node. */
  startsAt: Date;
}

export interface EncodedSegment {
  bytes: Buffer;
  durationSeconds: number;
  programDateTime: Date;
}

/** A segment that is on the store. */
export interface StoredSegment {
  /** Below the rendition's path. */
  file: string;
  mapFile: string;
  byteLength: number;
  durationSeconds: number;
  programDateTime: Date;
}

/** The segments of all renditions for one stretch of media. */
export type SegmentSet = ReadonlyMap<string, StoredSegment>;

/**
 * Collects the segments of a run until every rendition has its part of a stretch, so that all playlists are cut
 * at the same media times and number their segments alike.
 */
export class RunSegments {
  private readonly added = new Map<string, number>();
  private readonly incomplete = new Map<number, Map<string, StoredSegment>>();
  private next = 0;

  constructor(private readonly renditionNames: readonly string[]) {}

  /**
   * The place of the rendition's next segment within the run, from 0. Throws when it would be `mostAhead` or more
   * past what the slowest rendition has: that encoder is broken, and what waits for it would pile up.
   */
  takeIndex(renditionName: string, mostAhead: number): number {
    const index = this.added.get(renditionName) ?? 0;
    const slowest = Math.min(...this.renditionNames.map(name => this.added.get(name) ?? 0));
    if (index - slowest >= mostAhead) throw new Error(`rendition ${renditionName} is ${mostAhead} segments ahead`);
    this.added.set(renditionName, index + 1);
    return index;
  }

  /** Adds a stored segment and hands out the sets that are whole now, in order. */
  add(renditionName: string, index: number, segment: StoredSegment): SegmentSet[] {
    const set = this.incomplete.get(index) ?? new Map<string, StoredSegment>();
    this.incomplete.set(index, set.set(renditionName, segment));
    return this.takeWhole();
  }

  /** The segments that no set was made of. */
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
