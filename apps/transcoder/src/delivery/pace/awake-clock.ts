import type { Clock } from '@rtms/clock';

/** ms between two ticks. */
export const tickMs = 1_000;

/**
 * A clock that stands still while this process gets no processor. Media waits in its socket for so long, and is not missing. The clock
 * stands still when its next tick is overdue.
 */
export class AwakeClock {
  private tickAt: number | undefined;
  private missedMs = 0;

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Call it every `tickMs`. */
  tick(): void {
    this.missedMs += this.overdueMs;
    this.tickAt = this.clock.now();
  }

  now(): number {
    return this.clock.now() - this.missedMs - this.overdueMs;
  }

  private get overdueMs(): number {
    return this.tickAt === undefined ? 0 : Math.max(0, this.clock.now() - this.tickAt - tickMs);
  }
}
