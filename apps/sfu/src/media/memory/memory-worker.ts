import { ConsumerBudget } from '../consumer-budget.js';

let lastPid = 100_000;

/** Stands for one media worker process. */
export class MemoryWorker<Room = unknown, Viewer = unknown> {
  readonly pid = ++lastPid;
  readonly rooms = new Set<Room>();
  /** Of its own rooms and of others'. */
  readonly viewers = new Set<Viewer>();
  readonly budget: ConsumerBudget;

  constructor(limit: number) {
    this.budget = new ConsumerBudget(limit);
  }
}
