import { setTimeout as pause } from 'node:timers/promises';

const retryMs = 500;

/** Tries until it works, fails for good or the time is over; then throws the last failure. */
export async function untilReachable<Reached>(
  attempt: () => Promise<Reached>,
  timeoutMs: number,
  isFinal: (error: unknown) => boolean = () => false,
): Promise<Reached> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (isFinal(error) || Date.now() + retryMs > end) throw error;
      await pause(retryMs);
    }
  }
}
