import { RtmsNotActiveError } from './errors.js';
import type { CallOptions, SdkClock } from './transport.js';

/** Options of `waitUntilActive`. `timeoutMs` limits the whole wait; the default is 60,000. */
export type WaitOptions = CallOptions;

interface Resource {
  state: string;
  endReason?: string | null;
}

const firstPollMs = 250;
const longestPollMs = 2_000;

/**
 * Reads a resource until it is active. A resource that has ended or failed rejects at once with `RtmsNotActiveError`.
 * @param noun for messages: `external session`
 */
export async function waitUntilActive<Found extends Resource>(
  noun: string,
  read: (options: CallOptions) => Promise<Found>,
  clock: SdkClock,
  { timeoutMs = 60_000, ...options }: WaitOptions,
): Promise<Found> {
  const { signal } = options;
  const deadline = clock.now() + timeoutMs;
  for (let delayMs = firstPollMs; ; delayMs = Math.min(longestPollMs, delayMs * 1.5)) {
    signal?.throwIfAborted();
    const found = await read({ ...options, timeoutMs: Math.max(1, deadline - clock.now()) });
    if (found.state === 'active') return found;
    if (found.state === 'ended' || found.state === 'failed') throw hasEnded(noun, found);
    const restMs = deadline - clock.now();
    if (restMs <= 0) throw isLate(noun, found, timeoutMs);
    await clock.pause(Math.min(delayMs, restMs), signal);
  }
}

function hasEnded(noun: string, { state, endReason }: Resource): RtmsNotActiveError {
  const verb = state === 'ended' ? 'has ended' : 'has failed';
  const reason = endReason ?? undefined;
  const message = `The ${noun} ${verb}${reason === undefined ? '' : ` (${reason})`}. Create another one.`;
  return new RtmsNotActiveError(message, { code: 'not_active', reason });
}

function isLate(noun: string, { state }: Resource, timeoutMs: number): RtmsNotActiveError {
  const message = `The ${noun} is still ${state} after ${timeoutMs} ms. Is its source sending?`;
  return new RtmsNotActiveError(message, { code: 'timeout', retryable: true });
}
