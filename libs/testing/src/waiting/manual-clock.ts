import type { Clock, Timer } from '@rtms/clock';

interface Due {
  at: number;
  order: number;
  action: () => void;
}

/** Resolves when the party is idle. True means that it had work, which may have caused work elsewhere. */
export type Party = () => Promise<boolean>;

/**
 * A clock that stands still until the test moves it. `clock.advance(4_999)` shows the moment before a deadline of 5 s,
 * one more millisecond shows the deadline.
 */
export class ManualClock implements Clock {
  private readonly due = new Set<Due>();
  private readonly parties = new Set<Party>();
  private started = 0;

  /** The first moment, in milliseconds since 1970. */
  constructor(private time = Date.parse('2026-01-01T00:00:00.000Z')) {}

  now(): number {
    return this.time;
  }

  /** Timers that wait. A test asserts 0 after `close()`. */
  get pending(): number {
    return this.due.size;
  }

  after(milliseconds: number, action: () => void): Timer {
    const entry = { at: this.time + Math.max(0, milliseconds), order: this.started++, action };
    this.due.add(entry);
    return { cancel: () => void this.due.delete(entry) };
  }

  every(milliseconds: number, action: () => void): Timer {
    if (!(milliseconds > 0)) throw new Error(`A period must be more than 0 ms; it is ${milliseconds}.`);
    let next: Timer;
    const turn = (): void => {
      next = this.after(milliseconds, turn);
      action();
    };
    next = this.after(milliseconds, turn);
    return { cancel: () => next.cancel() };
  }

  pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      if (signal?.aborted) return resolve();
      const end = (): void => {
        timer.cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = this.after(milliseconds, end);
      signal?.addEventListener('abort', end, { once: true });
    });
  }

  /**
   * Adds a party: `advance` continues only when the party is idle. A test bed adds the work that its actions cause outside this
   * process, e.g. queries. Returns a function that removes the party.
   */
  join(party: Party): () => void {
    this.parties.add(party);
    return () => void this.parties.delete(party);
  }

  /**
   * Moves the time. Due actions run in the order of their times, also actions that other actions schedule. Before the first
   * and after each action, settled promises have run and all parties are idle. The test awaits network and disk itself.
   */
  async advance(milliseconds: number): Promise<void> {
    await this.settled();
    const end = this.time + milliseconds;
    for (let next = this.nextUntil(end); next; next = this.nextUntil(end)) {
      this.due.delete(next);
      this.time = Math.max(this.time, next.at);
      next.action();
      await this.settled();
    }
    // An action may have called `stall` beyond the end.
    this.time = Math.max(this.time, end);
    await this.settled();
  }

  /** Moves the time like a blocked event loop: no action runs until the next `advance`. */
  stall(milliseconds: number): void {
    this.time += milliseconds;
  }

  /** Resolves once all parties are idle. The time does not move. */
  async settled(): Promise<void> {
    await turnOfTheEventLoop();
    // The work of one party may cause work of another.
    for (let isBusy = true; isBusy;) {
      isBusy = false;
      for (const settle of this.parties) if (await settle()) isBusy = true;
    }
  }

  private nextUntil(end: number): Due | undefined {
    return [...this.due]
      .filter(({ at }) => at <= end)
      .sort((one, other) => one.at - other.at || one.order - other.order)[0];
  }
}

function turnOfTheEventLoop(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
