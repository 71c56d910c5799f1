import { isDatabaseUnavailable, isLockTimeout } from '../database/database-errors.js';

export interface BatchesOptions<Item> {
  /** Largest number of items in a batch. */
  size: number;
  /** Largest number of batches at the same time. */
  atOnce: number;
  /** Must handle all items or none. */
  handle: (items: readonly Item[]) => Promise<void>;
}

/** Of the items of one batch. */
const mostLockTimeouts = 2;

interface WaitingItem<Item> {
  item: Item;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Handles single items in batches. A batch has the items that arrived while earlier batches were running. After a failure the two
 * halves of the batch are tried, so that a bad item fails alone. An item that waits too long for a lock fails alone too.
 */
export class Batches<Item> {
  private readonly waiting: WaitingItem<Item>[] = [];
  private running = 0;

  constructor(private readonly options: BatchesOptions<Item>) {}

  /** Resolves after the item is handled. Rejects if that fails. */
  add(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      // Items of the same turn of the event loop are one batch.
      if (this.waiting.length === 1) queueMicrotask(() => this.begin());
    });
  }

  private begin(): void {
    const { atOnce, size } = this.options;
    while (this.running < atOnce && this.waiting.length > 0) {
      this.running += 1;
      void this.handle(this.waiting.splice(0, size)).finally(() => {
        this.running -= 1;
        this.begin();
      });
    }
  }

  private async handle(batch: readonly WaitingItem<Item>[]): Promise<void> {
    try {
      await this.options.handle(batch.map(({ item }) => item));
    } catch (error) {
      if (batch.length > 1 && isLockTimeout(error)) return this.handleEach(batch);
      if (batch.length > 1 && !isDatabaseUnavailable(error)) return this.handleHalves(batch);
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const { resolve } of batch) resolve();
  }

  /** Halves would wait for the lock again and again. If several items wait for locks, the others would wait too: the rest fails. */
  private async handleEach(batch: readonly WaitingItem<Item>[]): Promise<void> {
    let timeouts = 0;
    for (const [index, { item, resolve, reject }] of batch.entries()) {
      try {
        await this.options.handle([item]);
        resolve();
      } catch (error) {
        reject(error);
        if (isLockTimeout(error)) timeouts += 1;
        if (timeouts < mostLockTimeouts && !isDatabaseUnavailable(error)) continue;
        for (const rest of batch.slice(index + 1)) rest.reject(error);
        return;
      }
    }
  }

  private async handleHalves(batch: readonly WaitingItem<Item>[]): Promise<void> {
    const middle = Math.ceil(batch.length / 2);
    await this.handle(batch.slice(0, middle));
    await this.handle(batch.slice(middle));
  }
}
