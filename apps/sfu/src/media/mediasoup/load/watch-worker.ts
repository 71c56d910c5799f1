import type { types } from 'mediasoup';
import { type Clock, lateTicks } from '@rtms/clock';

const askEveryMs = 2_000;
/** An overloaded worker still answers within two seconds. */
const answersWithinMs = 10_000;

/**
 * Pings the worker every 2 s and passes its usage to `onUsage`. Calls `onHung` once if it has not answered for 10 s. Returns a function that ends the watch.
 * Does not count time in which this process was blocked, because the answer may be unread.
 */
export function watchWorker(
  worker: Pick<types.Worker, 'getResourceUsage'>,
  clock: Clock,
  onHung: () => void,
  onUsage: (usage: types.WorkerResourceUsage) => void = () => undefined,
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
    // A rejection means that the worker has closed, which `onDied` handles.
    worker.getResourceUsage().then(
      usage => {
        askedAt = undefined;
        onUsage(usage);
      },
      () => end(),
    );
  }

  function end(tell?: () => void): void {
    timer.cancel();
    tell?.();
  }

  return end;
}
