import type { Clock } from '@rtms/clock';

const retryMs = 500;

export interface RetryOptions {
  clock: Clock;
  /** No attempt begins later than this. */
  timeoutMs: number;
  /** Whether a further attempt is useless; default: never. */
  isFinal?: (error: unknown) => boolean;
}

/** Tries until an attempt succeeds, an error is final or the time is over; then throws the last error. */
export async function untilReachable<Reached>(
  attempt: () => Promise<Reached>,
  { clock, timeoutMs, isFinal = () => false }: RetryOptions,
): Promise<Reached> {
  const end = clock.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (isFinal(error) || clock.now() + retryMs > end) throw error;
      await clock.pause(retryMs);
    }
  }
}
