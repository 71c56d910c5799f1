import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';

export interface SlotLimits {
  /** Tasks of all owners at once. */
  slots: number;
  slotsPerOwner: number;
  waitingPerOwner: number;
  /** Waiting tasks of all owners. */
  waiting: number;
}

/** How long a task may take. */
export interface TaskBounds {
  clock: Clock;
  longestWaitMs: number;
  longestWorkMs: number;
  /** Ends the task, or its waiting. */
  signal: AbortSignal;
}

/** Runs a bounded number of tasks at once. Owners with waiting tasks take turns, so none uses up the slots. */
export class FairSlots {
  private readonly running = new Map<string, number>();
  /** By owner. The owner that waited longest for its turn is first. */
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(private readonly limits: SlotLimits) {}

  /** Throws `too_many_waiting` when the queue is full. An abort of the signal ends the wait, not the task: rejects with its reason. */
  async run<Result>(owner: string, task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (!this.hasSlot(owner)) await this.wait(owner, signal);
    else this.take(owner);
    try {
      signal?.throwIfAborted();
      return await task();
    } finally {
      this.release(owner);
    }
  }

  /**
   * Runs a task that ends when its signal aborts. Rejects with the reason of the abort, or after the longest time. Once the task
   * has begun, its end is awaited: it does nothing afterwards.
   */
  async runInTime(owner: string, bounds: TaskBounds, task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { clock, longestWaitMs, longestWorkMs, signal: given } = bounds;
    given.throwIfAborted();
    const stop = new AbortController();
    const { signal } = stop;
    const forward = () => stop.abort(given.reason);
    given.addEventListener('abort', forward, { once: true });
    const giveUp = () => stop.abort(new Error('it takes too long'));
    let timer = clock.after(longestWaitMs, giveUp);
    const begin = async () => {
      timer.cancel();
      timer = clock.after(longestWorkMs, giveUp);
      await task(signal);
    };
    try {
      await this.run(owner, begin, signal);
    } finally {
      timer.cancel();
      given.removeEventListener('abort', forward);
    }
  }

  private wait(owner: string, signal: AbortSignal | undefined): Promise<void> {
    const own = this.waiting.get(owner) ?? [];
    const all = sum([...this.waiting.values()].map(({ length }) => length));
    if (own.length >= this.limits.waitingPerOwner || all >= this.limits.waiting) {
      throw new ServiceError('too_many_waiting', 'Too many tasks wait for their turn. Try again in a second.');
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        const others = (this.waiting.get(owner) ?? []).filter(each => each !== begin);
        if (others.length > 0) this.waiting.set(owner, others);
        else this.waiting.delete(owner);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.waiting.set(owner, [...own, begin]);
    });
  }

  private hasSlot(owner: string): boolean {
    const all = sum([...this.running.values()]);
    return all < this.limits.slots && (this.running.get(owner) ?? 0) < this.limits.slotsPerOwner;
  }

  private take(owner: string): void {
    this.running.set(owner, (this.running.get(owner) ?? 0) + 1);
  }

  private release(owner: string): void {
    const left = (this.running.get(owner) ?? 1) - 1;
    if (left === 0) this.running.delete(owner);
    else this.running.set(owner, left);
    const next = [...this.waiting.keys()].find(each => this.hasSlot(each));
    if (next !== undefined) this.startNext(next);
  }

  private startNext(owner: string): void {
    const [begin, ...others] = this.waiting.get(owner) ?? [];
    this.waiting.delete(owner);
    // At the end of the map, so that every other owner comes first.
    if (others.length > 0) this.waiting.set(owner, others);
    this.take(owner);
    begin?.();
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
