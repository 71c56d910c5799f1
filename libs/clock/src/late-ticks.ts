import type { Clock } from './clock.js';

/** Timers of a loaded machine are late by tens of milliseconds, not by this. */
const toleranceMs = 1_000;

/**
 * Returns a function that an action of `every` calls first. It answers whether this tick is late: then the event loop was
 * blocked, or the machine slept. Messages that arrived meanwhile are not read yet, so silence proves nothing.
 *
 *     const isLate = lateTicks(clock, 2_000);
 *     clock.every(2_000, () => { if (!isLate()) closeWhatIsSilent(); });
 */
export function lateTicks(clock: Clock, everyMs: number): () => boolean {
  let expectedAt = clock.now() + everyMs;
  return () => {
    const now = clock.now();
    const isLate = now - expectedAt > toleranceMs;
    expectedAt = now + everyMs;
    return isLate;
  };
}
