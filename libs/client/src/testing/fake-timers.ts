import type { Timers } from '../timers.js';

interface Due {
  at: number;
  action: () => void;
}

/** Time that passes when the test says so. */
export class FakeTimers implements Timers {
  private now = 0;
  private due: Due[] = [];

  get pending(): number {
    return this.due.length;
  }

  after(milliseconds: number, action: () => void): () => void {
    const entry = { at: this.now + milliseconds, action };
    this.due.push(entry);
    return () => (this.due = this.due.filter(each => each !== entry));
  }

  /** What is due happens in its order, and what that asks for too. */
  advance(milliseconds: number): void {
    const end = this.now + milliseconds;
    for (;;) {
      const next = this.due.filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0];
      if (!next) break;
      this.due = this.due.filter(each => each !== next);
      this.now = next.at;
      next.action();
    }
    this.now = end;
  }
}
