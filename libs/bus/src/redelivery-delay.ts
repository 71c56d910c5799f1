const firstDelayMs = 100;
const longestDelayMs = 5000;

/** Milliseconds until a message is given out again after its nth failure (from 1): 100, 200, … 5,000. */
export function redeliveryDelay(deliveries: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(deliveries - 1, 10));
}
