/** The times of something that should come all the time, such as pictures, in ms since 1970. */
export class GapMeter {
  private longest = 0;
  private last = 0;
  private longestEndedAt = 0;
  private streakSince = 0;

  /** `gapMs`: a longer pause is an interruption. */
  constructor(private readonly gapMs: number) {}

  note(now = Date.now()): void {
    const pause = this.last === 0 ? 0 : now - this.last;
    if (pause > this.gapMs || this.last === 0) this.streakSince = now;
    if (pause > this.longest) {
      this.longest = pause;
      this.longestEndedAt = now;
    }
    this.last = now;
  }

  /** Forgets earlier pauses. */
  reset(): void {
    this.longest = 0;
    this.longestEndedAt = 0;
  }

  get silentMs(): number {
    return this.last === 0 ? Number.POSITIVE_INFINITY : Date.now() - this.last;
  }

  /** For how long it has come without an interruption. */
  get steadyMs(): number {
    return this.silentMs > this.gapMs ? 0 : Date.now() - this.streakSince;
  }

  /** The longest pause, and its end. */
  get result(): { longestMs: number; endedAt: number } {
    return { longestMs: this.longest, endedAt: this.longestEndedAt };
  }
}
