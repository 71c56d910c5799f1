/** Failures that are worth trying again, and how many of them in how short a time are not. */
export class FailureWindow {
  private times: number[] = [];

  constructor(
    private readonly most: number,
    private readonly windowMs: number,
  ) {}

  /** Counts a failure; true when it was one too many. */
  add(now: number): boolean {
    this.times = [...this.times.filter(time => now - time < this.windowMs), now];
    return this.times.length >= this.most;
  }
}
