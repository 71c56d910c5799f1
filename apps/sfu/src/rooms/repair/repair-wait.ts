/**
 * ms. Afterwards viewers get the original. Repairs of publishers with acceptable keyframe intervals begin sooner, and players give up
 * after eight seconds.
 */
const longestWait = 6_000;

interface RepairWaitParts {
  /** Viewers see repaired pictures. */
  isRepaired(): boolean;
  /** Viewers get the original now. */
  onOver(): void;
}

/**
 * The wait of the first viewers for repaired pictures. Viewers who come when B-frames are known receive nothing until the repair begins
 * or fails, so that they see no picture in a wrong order. Viewers who have seen the original do not wait.
 */
export class RepairWait {
  /** Viewers who come now have to wait. */
  private isNeeded = false;
  private since: number | undefined;

  constructor(private readonly parts: RepairWaitParts) {}

  /** Viewers receive nothing yet. */
  get isOn(): boolean {
    return this.isNeeded && !this.parts.isRepaired();
  }

  /** Whether viewers wait, or would wait if there was no repair. */
  get isExpected(): boolean {
    return this.isNeeded;
  }

  /** Nobody sees the original. */
  expect(): void {
    this.isNeeded = true;
    this.since = undefined;
  }

  /** Ends a wait that takes too long. Call it regularly while somebody watches. */
  limit(now: number): void {
    this.since = this.isOn ? (this.since ?? now) : undefined;
    if (this.since !== undefined && now - this.since >= longestWait) this.end();
  }

  /** Viewers get the original unless it is repaired. Safe to call twice. */
  end(): void {
    const wasOn = this.isOn;
    this.isNeeded = false;
    this.since = undefined;
    if (wasOn) this.parts.onOver();
  }
}
