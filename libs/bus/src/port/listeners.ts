import type { Closeable, HeardMessage } from './bus.js';
import { DeadlineError, NoResponderError, RemoteError } from './bus-errors.js';

/** Listeners for one kind of event. */
export class Listeners<Event> {
  private readonly listeners = new Set<(event: Event) => void>();

  add(listener: (event: Event) => void): Closeable {
    // A function per call, so that a listener that is added twice can be removed once.
    const own = (event: Event): void => listener(event);
    this.listeners.add(own);
    return { close: () => Promise.resolve(void this.listeners.delete(own)) };
  }

  tell(event: Event): void {
    for (const listener of [...this.listeners]) listener(event);
  }

  clear(): void {
    this.listeners.clear();
  }
}

export const requestOutcomes = ['ok', 'refused', 'no_responder', 'timeout', 'failed'] as const;
/** `refused`: the responder replied with a failure. `failed`: any unknown error. */
export type RequestOutcome = (typeof requestOutcomes)[number];

/** A completed request. */
export interface DoneRequest {
  subject: string;
  outcome: RequestOutcome;
  seconds: number;
}

export type RequestListener = (done: DoneRequest) => void;

/** Listeners for the outcome and duration of requests. */
export class RequestListeners extends Listeners<DoneRequest> {
  /** Reports the outcome of `work` and returns its result. */
  async watch<Reply>(subject: string, work: Promise<Reply>): Promise<Reply> {
    const start = performance.now();
    const end = (outcome: RequestOutcome): void =>
      this.tell({ subject, outcome, seconds: (performance.now() - start) / 1000 });
    try {
      const reply = await work;
      end('ok');
      return reply;
    } catch (error) {
      end(outcomeOf(error));
      throw error;
    }
  }
}

function outcomeOf(error: unknown): RequestOutcome {
  if (error instanceof RemoteError) return 'refused';
  if (error instanceof NoResponderError) return 'no_responder';
  return error instanceof DeadlineError ? 'timeout' : 'failed';
}

/** Calls a listener. Its failure must not end the subscription or the process. */
export function hearSafely<Payload>(
  handler: (message: HeardMessage<Payload>) => void,
  message: HeardMessage<Payload>,
): void {
  try {
    handler(message);
  } catch {
    // Announcements are not stored, so there is no redelivery.
  }
}
