import type { Closeable } from './bus.js';
import { DeadlineError, NoResponderError, RemoteError } from './bus-errors.js';

export const requestOutcomes = ['ok', 'refused', 'no_responder', 'timeout', 'failed'] as const;
/** `refused`: the responder answered that it would not or could not. `failed`: neither an answer nor a known error. */
export type RequestOutcome = (typeof requestOutcomes)[number];

/** A request that is over. */
export interface DoneRequest {
  subject: string;
  outcome: RequestOutcome;
  seconds: number;
}

export type RequestListener = (done: DoneRequest) => void;

/** Who wants to know what became of requests, and how long they took. */
export class RequestListeners {
  private readonly listeners = new Set<RequestListener>();

  add(listener: RequestListener): Closeable {
    this.listeners.add(listener);
    return { close: () => Promise.resolve(void this.listeners.delete(listener)) };
  }

  /** Passes on what the work resolves to or fails with. */
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
