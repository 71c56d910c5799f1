import type { types } from 'mediasoup';
import { lateTicks, type Clock } from '@rtms/clock';

const askEveryMs = 2_000;
/** A worker with more to do than it can still answers within a second or two. */
const answersWithinMs = 10_000;

/**
 * Asks the worker every 2 s. Calls `onHung` once when it has not answered for 10 s. Returns the function that ends the watch.
 * Time in which this process itself was blocked does not count: the answer may lie there unread.
 */
export function watchWorker(
  worker: Pick<types.Worker, 'getResourceUsage'>,
  clock: Clock,
  onHung: () => void,
): () => void {
  let askedAt: number | undefined;
  const isLate = lateTicks(clock, askEveryMs);
  const timer = clock.every(askEveryMs, () => {
    const wasBlocked = isLate();
    if (askedAt === undefined) ask();
    else if (wasBlocked) askedAt = clock.now();
    else if (clock.now() - askedAt >= answersWithinMs) end(onHung);
  });

  function ask(): void {
    askedAt = clock.now();
    // Refused means that the worker has been closed, which is told elsewhere.
    worker.getResourceUsage().then(
      () => (askedAt = undefined),
      () => end(),
    );
  }

  function end(tell?: () => void): void {
    timer.cancel();
    tell?.();
  }

  return end;
}
