/** A running timer. `cancel` does nothing if the timer has fired or was cancelled. */
export interface Timer {
  cancel(): void;
}

/**
 * The time and the timers of a service. Services use this port, not `Date` and `setTimeout`, so that a test can
 * move the time by hand. A test can then check the moments before and at a deadline.
 *
 * All durations are milliseconds. An action must not throw and must not reject.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Runs the action once. The timer does not keep the process alive. */
  after(milliseconds: number, action: () => void): Timer;
  /** Runs the action once per period, first after one period. The timer does not keep the process alive. */
  every(milliseconds: number, action: () => void): Timer;
  /** Resolves after the time, or as soon as the signal aborts. It never rejects. It keeps the process alive. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    letExit(timer);
    return { cancel: () => clearTimeout(timer) };
  },
  every(milliseconds, action) {
    const timer = setInterval(action, milliseconds);
    letExit(timer);
    return { cancel: () => clearInterval(timer) };
  },
  pause(milliseconds, signal) {
    return new Promise(resolve => {
      if (signal?.aborted) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal?.addEventListener('abort', end, { once: true });
    });
  },
};

/** A Node.js timer is an object with `unref`; a browser timer is a number. */
function letExit(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as { unref(): void }).unref();
}

/** On a loaded machine, timers are late by tens of milliseconds, which is less. */
const toleranceMs = 1_000;

/**
 * Returns a function that an action of `every` calls first. The function returns whether this tick is more than 1 s late.
 * Then the event loop was blocked or the machine slept, and unread messages may wait, so silence proves nothing.
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
