import { isDatabaseUnavailable } from '../database/database-errors.js';

export interface BatchesOptions<Item> {
  /** At most so many items in one batch. */
  size: number;
  /** At most so many batches at the same time. */
  atOnce: number;
  /** Does all or nothing. */
  handle: (items: readonly Item[]) => Promise<void>;
}

interface WaitingItem<Item> {
  item: Item;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Handles what comes one by one in batches: those items make up a batch that came while earlier batches were at work. When
 * a batch fails, its halves are tried, so that an item that cannot be handled fails alone.
 */
export class Batches<Item> {
  private readonly waiting: WaitingItem<Item>[] = [];
  private running = 0;

  constructor(private readonly options: BatchesOptions<Item>) {}

  /** Resolves once the item is handled; rejects when it cannot be. */
  add(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      // Items that come in the same turn of the event loop go together.
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
      if (batch.length > 1 && !isDatabaseUnavailable(error)) return this.handleHalves(batch);
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const { resolve } of batch) resolve();
  }

  private async handleHalves(batch: readonly WaitingItem<Item>[]): Promise<void> {
    const middle = Math.ceil(batch.length / 2);
    await this.handle(batch.slice(0, middle));
    await this.handle(batch.slice(middle));
  }
}
