import { workersFullError } from '../media-errors.js';

let lastPid = 100_000;

/** Stands for one media worker process. */
export class MemoryWorker<Room = unknown> {
  readonly pid = ++lastPid;
  readonly rooms = new Set<Room>();
  consumers = 0;

  constructor(private readonly budget: number) {}

  get full(): boolean {
    return this.consumers >= this.budget;
  }

  /** Counts viewer tracks, negative when they end. */
  reserve(count: number): void {
    if (count > 0 && this.consumers + count > this.budget) throw workersFullError();
    this.consumers += count;
  }
}
