import { RtmsError } from './errors.js';
import type { Item } from './methods.js';
import type { CallOptions, Transport } from './transport.js';

/**
 * A change in the account. `type` tells the fields of `data`: `if (event.type === 'room.ended') event.data.endReason`. A later gateway may
 * send further types, so ignore unknown ones.
 */
export type RtmsEvent = Item<'listEvents', 'events'>;

export interface StreamOptions extends CallOptions {
  /** The cursor of the last processed event; the default begins with the oldest kept event. */
  after?: string;
  /** Only these types. */
  types?: readonly (RtmsEvent['type'] | (string & {}))[];
  /** Only events of this room. */
  meetingID?: string;
  /** How long the gateway waits for an event before it answers an empty page; default 20 seconds. */
  waitSeconds?: number;
}

interface EventPage {
  events: RtmsEvent[];
  nextCursor: string | null;
  hasMore: boolean;
}

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;

/**
 * The events of the account in their order, those of the past first, and then each one as it happens. The stream ends when its signal
 * aborts or the loop breaks. It outlasts failures that pass; `cursor_expired` and wrong credentials reject.
 */
export class EventStream implements AsyncIterable<RtmsEvent> {
  #cursor: string | undefined;
  readonly #transport: Transport;
  readonly #options: StreamOptions;

  constructor(transport: Transport, options: StreamOptions = {}) {
    this.#transport = transport;
    this.#options = options;
    this.#cursor = options.after;
  }

  /** Pass it as `after` to go on later. It moves when the loop asks for the event after a page: at least once, never lost. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RtmsEvent, void, undefined> {
    const { signal } = this.#options;
    let delayMs = firstDelayMs;
    while (!signal?.aborted) {
      try {
        const { events, nextCursor } = await this.#page();
        delayMs = firstDelayMs;
        yield* events;
        this.#cursor = nextCursor ?? this.#cursor;
      } catch (error) {
        if (signal?.aborted) return;
        if (!(error instanceof RtmsError) || !error.retryable) throw error;
        await this.#transport.clock.pause(delayMs, signal);
        // oxlint-disable-next-line no-useless-assignment -- the next round reads it, if its page fails
        delayMs = Math.min(longestDelayMs, delayMs * 2);
      }
    }
  }

  async #page(): Promise<EventPage> {
    const { types, meetingID, waitSeconds = 20, after: _, ...options } = this.#options;
    const query = {
      ...(this.#cursor !== undefined && { after: this.#cursor }),
      ...(types && types.length > 0 && { types: types.join(',') }),
      ...(meetingID !== undefined && { meetingID }),
      wait: waitSeconds,
    };
    return (await this.#transport.send({ method: 'GET', path: '/v1/events', query }, options)) as EventPage;
  }
}
