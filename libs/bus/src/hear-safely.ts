import type { HeardMessage } from './bus.js';

/** A listener's own failure must not end the subscription, nor the process. */
export function hearSafely<Payload>(
  handler: (message: HeardMessage<Payload>) => void,
  message: HeardMessage<Payload>,
): void {
  try {
    handler(message);
  } catch {
    // Nothing of it is kept, so there is nobody to give it to again.
  }
}
