import type { types } from 'mediasoup';

const askEveryMs = 2_000;
/** A worker with more to do than it can still answers within a second or two. */
const answersWithinMs = 10_000;

/** Asks the worker again and again; `onHung` once when it has not answered for 10 s. Returns what to call at the end. */
export function watchWorker(worker: Pick<types.Worker, 'getResourceUsage'>, onHung: () => void): () => void {
  let askedAt: number | undefined;
  const timer = setInterval(() => {
    if (askedAt === undefined) ask();
    else if (Date.now() - askedAt >= answersWithinMs) end(onHung);
  }, askEveryMs);
  timer.unref();

  function ask(): void {
    askedAt = Date.now();
    // Refused means that the worker has been closed, which is told elsewhere.
    worker.getResourceUsage().then(
      () => (askedAt = undefined),
      () => end(),
    );
  }

  function end(tell?: () => void): void {
    clearInterval(timer);
    tell?.();
  }

  return end;
}
