import type { Closeable, HeardMessage } from './bus.js';
import { DeadlineError, NoResponderError, RemoteError } from './bus-errors.js';

export type ConnectionListener = (connected: boolean) => void;

/** Listeners for changes of the connection. */
export class ConnectionListeners {
  private readonly listeners = new Set<ConnectionListener>();

  add(listener: ConnectionListener): Closeable {
    // A function per call, so that a listener that is added twice can be removed once.
    const own: ConnectionListener = connected => listener(connected);
    this.listeners.add(own);
    return {
      close: () => {
        this.listeners.delete(own);
        return Promise.resolve();
      },
    };
  }

  tell(connected: boolean): void {
    for (const listener of [...this.listeners]) listener(connected);
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
export class RequestListeners {
  private readonly listeners = new Set<RequestListener>();

  add(listener: RequestListener): Closeable {
    this.listeners.add(listener);
    return { close: () => Promise.resolve(void this.listeners.delete(listener)) };
  }

  /** Reports the outcome of `work` and returns its result. */
  async watch<Reply>(subject: string, work: Promise<Reply>): Promise<Reply> {
    const start = performance.now();
    const tell = (outcome: RequestOutcome): void => {
      const done = { subject, outcome, seconds: (performance.now() - start) / 1000 };
      for (const listener of this.listeners) listener(done);
    };
    try {
      const reply = await work;
      tell('ok');
      return reply;
    } catch (error) {
      tell(outcomeOf(error));
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
