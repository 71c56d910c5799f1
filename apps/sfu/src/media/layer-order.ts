/** Bytes received of each layer so far, by its RID; a layer that has not begun is left out. */
export type LayerBytes = ReadonlyMap<string, number>;

/** Encoders begin with the layer that the network surely carries; the others are given so long to come. */
const longestWaitMs = 3_000;

/** Over so long layers are compared. */
const comparedMs = 1_000;

/**
 * Finds which of a publisher's layers is better than which: neither their names nor their order in the offer tell
 * (RFC 8853 section 5.2), but the better one always has the higher bit rate.
 */
export class LayerOrder {
  private readonly samples: { at: number; bytes: LayerBytes }[] = [];

  constructor(private readonly rids: readonly string[]) {}

  /** The RIDs from the lowest layer to the highest, once that is known. Call it with every look at the counters. */
  settle(bytes: LayerBytes, at: number): string[] | undefined {
    if (bytes.size === 0) return undefined;
    this.samples.push({ at, bytes });
    const begun = this.samples[0]?.at ?? at;
    const complete = this.samples.find(sample => sample.bytes.size === this.rids.length);
    const isCompared = complete !== undefined && at - complete.at >= comparedMs;
    if (!isCompared && at - begun < longestWaitMs) return undefined;
    return this.byRate(complete?.bytes ?? this.samples[0]?.bytes ?? new Map(), bytes);
  }

  /** A layer that has not come needs more than the network carries yet: it is a higher one. */
  private byRate(from: LayerBytes, to: LayerBytes): string[] {
    const received = (rid: string): number => {
      const now = to.get(rid);
      return now === undefined ? Infinity : now - (from.get(rid) ?? 0);
    };
    return [...this.rids].sort((a, b) => compare(received(a), received(b)));
  }
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
