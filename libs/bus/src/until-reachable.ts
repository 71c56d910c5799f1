import { setTimeout as pause } from 'node:timers/promises';

const retryMs = 500;

/** Tries until it works or the time is over; then throws the last failure. */
export async function untilReachable<Reached>(attempt: () => Promise<Reached>, timeoutMs: number): Promise<Reached> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() + retryMs > end) throw error;
      await pause(retryMs);
    }
  }
}
