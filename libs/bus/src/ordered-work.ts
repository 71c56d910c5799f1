import type { Clock } from '@rtms/clock';
import { redeliveryDelay } from './redelivery-delay.js';

export interface OrderedWorkOptions<Item> {
  clock: Clock;
  /** So many items are handled at the same time, at most. */
  atOnce: number;
  /** `failures`: how often this item has failed already. */
  handle: (item: Item, failures: number) => Promise<void>;
}

/** The items of one key; the first one is at work, or due. */
interface Queue<Item> {
  items: Item[];
  failures: number;
}

/**
 * Handles items of one key in their order, and items of different keys side by side. An item that fails is handled again
 * after a pause that grows to 5 s. Meanwhile later items of its key wait; those of other keys do not.
 */
export class OrderedWork<Item> {
  private readonly queues = new Map<string, Queue<Item>>();
  /** Keys whose first item may begin. */
  private readonly due = new Set<string>();
  private readonly atWork = new Set<Promise<void>>();
  private readonly pausing = new Set<Promise<void>>();
  private readonly closing = new AbortController();

  constructor(private readonly options: OrderedWorkOptions<Item>) {}

  add(key: string, item: Item): void {
    const queue = this.queues.get(key);
    if (queue) {
      queue.items.push(item);
      return;
    }
    this.queues.set(key, { items: [item], failures: 0 });
    this.begin(key);
  }

  /** Resolves when the items at work are done. Those that have not begun are dropped. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.all([...this.atWork, ...this.pausing]);
    this.queues.clear();
  }

  private begin(key: string): void {
    this.due.add(key);
    this.beginMore();
  }

  private beginMore(): void {
    for (const key of this.due) {
      if (this.closing.signal.aborted || this.atWork.size >= this.options.atOnce) return;
      this.due.delete(key);
      const work = this.handleFirst(key).finally(() => {
        this.atWork.delete(work);
        this.beginMore();
      });
      this.atWork.add(work);
    }
  }

  private async handleFirst(key: string): Promise<void> {
    const queue = this.queues.get(key);
    const [item] = queue?.items ?? [];
    if (!queue || item === undefined) return;
    try {
      await this.options.handle(item, queue.failures);
    } catch {
      queue.failures += 1;
      return this.tryLater(key, queue.failures);
    }
    queue.items.shift();
    queue.failures = 0;
    if (queue.items.length > 0) this.due.add(key);
    else this.queues.delete(key);
  }

  private tryLater(key: string, failures: number): void {
    const pause = this.options.clock.pause(redeliveryDelay(failures), this.closing.signal).then(() => {
      this.pausing.delete(pause);
      this.begin(key);
    });
    this.pausing.add(pause);
  }
}
