import type { Clock } from '@rtms/clock';
import type { Closeable, KeyValueEntry, KeyValueStore } from './bus.js';

type Watcher = (entry: KeyValueEntry<unknown>) => void;

/** The values of one bucket with the times at which they go. */
export class MemoryBucket {
  private readonly values = new Map<string, { value: unknown; goesAt: number }>();
  private readonly watchers = new Set<Watcher>();

  constructor(
    private readonly ttlSeconds: number | undefined,
    private readonly clock: Clock,
  ) {}

  put(key: string, value: unknown): void {
    const goesAt = this.ttlSeconds === undefined ? Infinity : this.clock.now() + this.ttlSeconds * 1000;
    this.values.set(key, { value, goesAt });
    this.tell({ key, value });
  }

  get(key: string): unknown {
    const held = this.values.get(key);
    return held && held.goesAt > this.clock.now() ? held.value : undefined;
  }

  delete(key: string): void {
    this.values.delete(key);
    this.tell({ key, value: undefined });
  }

  /** Returns a function that ends the watch. */
  watch(watcher: Watcher): () => void {
    for (const key of this.values.keys()) {
      const value = this.get(key);
      if (value !== undefined) watcher({ key, value: structuredClone(value) });
    }
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }

  private tell(entry: KeyValueEntry<unknown>): void {
    for (const watcher of [...this.watchers]) watcher(structuredClone(entry));
  }
}

/** A client's view of a bucket. */
export class MemoryKeyValueStore<Value> implements KeyValueStore<Value> {
  constructor(
    private readonly bucket: MemoryBucket,
    private readonly client: { track: (leave: () => void) => Closeable; requireConnection: () => void },
  ) {}

  async put(key: string, value: Value): Promise<void> {
    await Promise.resolve();
    this.client.requireConnection();
    this.bucket.put(key, structuredClone(value));
  }

  async get(key: string): Promise<Value | undefined> {
    await Promise.resolve();
    this.client.requireConnection();
    return structuredClone(this.bucket.get(key)) as Value | undefined;
  }

  async delete(key: string): Promise<void> {
    await Promise.resolve();
    this.client.requireConnection();
    this.bucket.delete(key);
  }

  watch(onEntry: (entry: KeyValueEntry<Value>) => void): Promise<Closeable> {
    return Promise.resolve(this.client.track(this.bucket.watch(entry => onEntry(entry as KeyValueEntry<Value>))));
  }
}
