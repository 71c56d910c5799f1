import { inspect } from 'node:util';
import { patienceMs } from './wait-for.js';

export interface AwaitOptions {
  /** ms until the wait fails. Default `patienceMs`. It does not assert speed. */
  timeoutMs?: number;
}

/**
 * Collects the events of a test, in order. A test awaits an event instead of polling; the promise resolves in the same turn
 * of the event loop.
 */
export class EventLog<Event> {
  readonly all: Event[] = [];
  private readonly waiting = new Set<() => void>();

  /** Bound, so that it can be passed as a listener. */
  readonly add = (event: Event): void => {
    this.all.push(event);
    for (const look of [...this.waiting]) look();
  };

  get length(): number {
    return this.all.length;
  }

  /** Resolves with the first matching event, also an earlier one. */
  find(matches: (event: Event) => boolean, options: AwaitOptions = {}): Promise<Event> {
    return this.until(
      () => this.all.find(matches),
      () => matches.toString(),
      options,
    );
  }

  /** Resolves with the first matching event after this call. */
  next(matches: (event: Event) => boolean = () => true, options: AwaitOptions = {}): Promise<Event> {
    const from = this.all.length;
    return this.until(
      () => this.all.slice(from).find(matches),
      () => `after event ${from}: ${matches.toString()}`,
      options,
    );
  }

  /** Resolves with all events once at least `count` have arrived. */
  atLeast(count: number, options: AwaitOptions = {}): Promise<Event[]> {
    return this.until(
      () => (this.all.length >= count ? this.all : undefined),
      () => `${count} events`,
      options,
    );
  }

  private until<Value>(
    look: () => Value | undefined,
    what: () => string,
    { timeoutMs = patienceMs }: AwaitOptions,
  ): Promise<Value> {
    const there = look();
    if (there !== undefined) return Promise.resolve(there);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        this.waiting.delete(lookAgain);
      };
      const lookAgain = (): void => {
        const found = look();
        if (found === undefined) return;
        end();
        resolve(found);
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`waited ${timeoutMs} ms for ${what()}; these arrived: ${inspect(this.all, { depth: 4 })}`));
      }, timeoutMs);
      this.waiting.add(lookAgain);
    });
  }
}
