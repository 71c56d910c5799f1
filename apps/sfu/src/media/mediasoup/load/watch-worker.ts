import { readFileSync } from 'node:fs';
import type { types } from 'mediasoup';
import { type Clock, lateTicks } from '@rtms/clock';

const askEveryMs = 500;
const usageEveryMs = 2_000;
/** With a load of 18 on two cores and a flooded worker, the slowest answer took 4.6 s. */
const answersWithinMs = 10_000;
/** A worker that neither answers nor wants a processor for this long is frozen, not overloaded: an overloaded one is awake. */
const frozenAfterMs = 1_500;

/**
 * Pings the worker every 0.5 s and passes its usage to `onUsage` every 2 s. Calls `onHung` once if the worker has not
 * answered for 10 s, or for 1.5 s in which it slept. Returns a function that ends the watch. Does not count time in which this
 * process was blocked, because the answer may be unread.
 */
export function watchWorker(
  worker: Pick<types.Worker, 'getResourceUsage'>,
  clock: Clock,
  onHung: () => void,
  isAsleep: () => boolean,
  onUsage: (usage: types.WorkerResourceUsage) => void = () => undefined,
): () => void {
  let askedAt: number | undefined;
  let asleepSince: number | undefined;
  let usageFrom = clock.now() + usageEveryMs;
  const isLate = lateTicks(clock, askEveryMs);
  const timer = clock.every(askEveryMs, () => {
    const wasBlocked = isLate();
    const now = clock.now();
    if (askedAt === undefined) return ask(now);
    if (wasBlocked) askedAt = now;
    asleepSince = !wasBlocked && isAsleep() ? (asleepSince ?? now) : undefined;
    const isFrozen = asleepSince !== undefined && now - asleepSince >= frozenAfterMs;
    if (isFrozen || now - askedAt >= answersWithinMs) end(onHung);
  });

  function ask(now: number): void {
    [askedAt, asleepSince] = [now, undefined];
    // A rejection means that the worker has closed, which `onDied` handles.
    worker.getResourceUsage().then(
      usage => {
        askedAt = undefined;
        if (now < usageFrom) return;
        usageFrom = now + usageEveryMs;
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

/** Whether the process sleeps or is stopped (proc(5)). False without /proc. A process that waits for a processor is awake. */
export function isProcessAsleep(pid: number): boolean {
  try {
    return /^[STt] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '');
  } catch {
    return false;
  }
}
