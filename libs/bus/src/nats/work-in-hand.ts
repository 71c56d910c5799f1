import type { Clock } from '@rtms/clock';

/** Tracks promises that `close` waits for. */
export class WorkInHand {
  private readonly works = new Set<Promise<void>>();

  constructor(private readonly clock: Clock) {}

  /** The caller handles a failure of `work`. */
  add(work: Promise<void>): void {
    const settled = work.catch(() => undefined).finally(() => this.works.delete(settled));
    this.works.add(settled);
  }

  /** Resolves when all work is settled, or after `timeoutMs`. */
  async settled(timeoutMs: number): Promise<void> {
    const done = new AbortController();
    void Promise.all(this.works).then(() => done.abort());
    await this.clock.pause(timeoutMs, done.signal);
  }
}
