/** What has been seen of each layer so far, by its RID; a layer of which nothing was is left out. */
export interface LayerSight {
  bytes: ReadonlyMap<string, number>;
  /** Width times height, where the codec shows it. */
  pixels: ReadonlyMap<string, number>;
}

/** Encoders begin with the layer that the network surely carries; the others are given so long to come. */
const longestWaitMs = 4_000;

/** Where sizes are not seen, bit rates are compared over so long. */
const comparedMs = 2_000;

/**
 * Finds which of a publisher's layers is better than which: neither their names nor their order in the offer tell
 * (RFC 8853 section 5.2), but their pictures do, or at least their bit rates.
 */
export class LayerOrder {
  private begun: number | undefined;
  private complete: { at: number; bytes: ReadonlyMap<string, number> } | undefined;

  constructor(private readonly rids: readonly string[]) {}

  /** The RIDs from the lowest layer to the highest, once that is known. Call it with every look at the streams. */
  settle({ bytes, pixels }: LayerSight, at: number): string[] | undefined {
    if (bytes.size === 0) return undefined;
    this.note(bytes, at);
    const isOver = at - (this.begun ?? at) >= longestWaitMs;
    if (pixels.size === this.rids.length || (isOver && pixels.size > 0)) return this.sorted(pixels);
    return isOver || (pixels.size === 0 && this.isCompared(at)) ? this.sorted(this.since(bytes)) : undefined;
  }

  private note(bytes: ReadonlyMap<string, number>, at: number): void {
    this.begun ??= at;
    if (bytes.size === this.rids.length) this.complete ??= { at, bytes };
  }

  private isCompared(at: number): boolean {
    return this.complete !== undefined && at - this.complete.at >= comparedMs;
  }

  private since(bytes: ReadonlyMap<string, number>): Map<string, number> {
    return new Map([...bytes].map(([rid, now]) => [rid, now - (this.complete?.bytes.get(rid) ?? 0)]));
  }

  /** Layers that have not come are taken to go on in the offer's order, up or down as those that have. */
  private sorted(measure: ReadonlyMap<string, number>): string[] {
    const rank = (rid: string): number => measure.get(rid) ?? 0;
    if (measure.size === this.rids.length) return [...this.rids].sort((a, b) => rank(a) - rank(b));
    const seen = this.rids.filter(rid => measure.has(rid)).map(rank);
    return (seen.at(0) ?? 0) > (seen.at(-1) ?? 0) ? [...this.rids].reverse() : [...this.rids];
  }
}
