import { setTimeout as pause } from 'node:timers/promises';
import type { KV, KvWatchEntry } from '@nats-io/kv';
import type { KeyValueEntry } from './bus.js';

const retryMs = 250;
type Entries = Awaited<ReturnType<KV['watch']>>;

/** Follows a bucket; after a reconnect it begins anew with what is there then. */
export class NatsWatch<Value> {
  private entries: Entries | undefined;
  private running: Promise<void> = Promise.resolve();
  private readonly closing = new AbortController();

  constructor(
    private readonly store: KV,
    private readonly onEntry: (entry: KeyValueEntry<Value>) => void,
  ) {}

  async start(): Promise<void> {
    await this.open();
    this.running = this.run();
  }

  restart(): void {
    this.entries?.stop();
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.entries?.stop();
    await this.running;
  }

  private get isClosed(): boolean {
    return this.closing.signal.aborted;
  }

  private async run(): Promise<void> {
    while (!this.isClosed) {
      try {
        const entries = this.entries ?? (await this.open());
        for await (const entry of entries) this.tell(entry);
        this.entries = undefined;
      } catch {
        this.entries = undefined;
        await pause(retryMs, undefined, { signal: this.closing.signal }).catch(() => undefined);
      }
    }
  }

  private async open(): Promise<Entries> {
    const entries = await this.store.watch();
    if (this.isClosed) entries.stop();
    this.entries = entries;
    return entries;
  }

  private tell(entry: KvWatchEntry): void {
    if (this.isClosed) return;
    this.onEntry({ key: entry.key, value: entry.operation === 'PUT' ? entry.json<Value>() : undefined });
  }
}
