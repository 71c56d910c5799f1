import type { Clock } from '@rtms/clock';
import type { Closeable, KeyValueEntry, KeyValueStore } from '../port/bus.js';

type Watcher = (entry: KeyValueEntry<unknown>) => void;

/** The values of one bucket with their expiry times (ms). */
export class MemoryBucket {
  private readonly values = new Map<string, { value: unknown; goesAt: number; revision: number }>();
  private readonly watchers = new Set<Watcher>();
  private lastRevision = 0;

  constructor(
    private readonly ttlSeconds: number | undefined,
    private readonly clock: Clock,
  ) {}

  put(key: string, value: unknown): void {
    const goesAt = this.ttlSeconds === undefined ? Infinity : this.clock.now() + this.ttlSeconds * 1000;
    const revision = ++this.lastRevision;
    this.values.set(key, { value, goesAt, revision });
    this.tell({ key, value, revision });
  }

  get(key: string): unknown {
    return this.find(key)?.value;
  }

  delete(key: string): void {
    this.values.delete(key);
    this.tell({ key, value: undefined, revision: ++this.lastRevision });
  }

  /** Returns a function that ends the watch. */
  watch(watcher: Watcher): () => void {
    for (const key of this.values.keys()) {
      const held = this.find(key);
      if (held) watcher({ key, value: structuredClone(held.value), revision: held.revision });
    }
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }

  private find(key: string) {
    const held = this.values.get(key);
    return held && held.goesAt > this.clock.now() ? held : undefined;
  }

  private tell(entry: KeyValueEntry<unknown>): void {
    for (const watcher of [...this.watchers]) watcher(structuredClone(entry));
  }
}

/** A client's handle of a bucket. */
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
