/** Counts what happens, by kind. All kinds are known beforehand, so that each is there from the start. */
export class Tally<Kind extends string> {
  private readonly counts: Map<Kind, number>;

  constructor(kinds: readonly Kind[]) {
    this.counts = new Map(kinds.map(kind => [kind, 0]));
  }

  add(kind: Kind, count = 1): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + count);
  }

  /** Since the start of the process. */
  entries(): [Kind, number][] {
    return [...this.counts];
  }
}
