import type { Clock } from '@rtms/clock';

export interface OrderedWorkOptions<Item> {
  clock: Clock;
  /** Maximum of items in progress. */
  atOnce: number;
  /** `failures`: number of earlier failures of this item. */
  handle: (item: Item, failures: number) => Promise<void>;
}

/** The items of one key. The first item is in progress, or due. */
interface Queue<Item> {
  items: Item[];
  failures: number;
}

/**
 * Handles items of one key in order, and items of different keys concurrently. A failed item is retried after a pause that
 * grows to 5 s. Meanwhile later items of its key wait; items of other keys continue.
 */
export class OrderedWork<Item> {
  private readonly queues = new Map<string, Queue<Item>>();
  /** Keys whose first item can start. */
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

  /** Resolves when the items in progress are done. Drops all other items. */
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

const firstDelayMs = 100;
const longestDelayMs = 5000;

/** Returns the ms before the redelivery after the nth failure (from 1): 100, 200, … 5,000. */
function redeliveryDelay(deliveries: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(deliveries - 1, 10));
}
