import { setTimeout as pause } from 'node:timers/promises';

/** Promises that a close waits for. */
export class WorkInHand {
  private readonly works = new Set<Promise<void>>();

  /** Whether the work succeeds is its own concern. */
  add(work: Promise<void>): void {
    const settled = work.catch(() => undefined).finally(() => this.works.delete(settled));
    this.works.add(settled);
  }

  /** Resolves when all are settled, or when the time is over. */
  async settled(timeoutMs: number): Promise<void> {
    const giveUp = new AbortController();
    const tooLate = pause(timeoutMs, undefined, { signal: giveUp.signal }).catch(() => undefined);
    await Promise.race([Promise.all([...this.works]), tooLate]);
    giveUp.abort();
  }
}
