/** A timer that was started. Cancelling it twice, or after it fired, does nothing. */
export interface Timer {
  cancel(): void;
}

/**
 * The time and the timers of a service. A service asks for this port instead of `Date` and `setTimeout`, so that a test
 * can move the time by hand and look at the moment before a deadline and at the deadline itself.
 *
 * All durations are milliseconds. An action must not throw and must not reject.
 */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Runs the action once. The timer does not keep the process alive. */
  after(milliseconds: number, action: () => void): Timer;
  /** Runs the action again and again, the first time after one period. The timer does not keep the process alive. */
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

/** In Node a timer is an object that can let the process exit; in a browser it is a number. */
function letExit(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as { unref(): void }).unref();
}
