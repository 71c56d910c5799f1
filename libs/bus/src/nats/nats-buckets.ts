import type { Clock } from '@rtms/clock';
import type { JetStreamClient } from '@nats-io/jetstream';
import { Kvm, type KV, type KvEntry, type KvWatchEntry } from '@nats-io/kv';
import type { Closeable, KeyValueEntry, KeyValueStore } from '../port/bus.js';
import { NoResponderError } from '../port/bus-errors.js';
import { encodePayload, toBusError } from './nats-wire.js';
import { type AwaitedStreams, untilAnswered, untilReachable } from './until-reachable.js';
import { ReopenedIteration, type BusConnection } from './reopened-iteration.js';

const restartedServerMs = 10_000;

/** The bus that a store belongs to. */
export interface StoreOwner extends BusConnection {
  track(leave: () => unknown): Closeable;
}

/** The buckets of this client. A provisioning client creates them again when a server restarts without them. */
export class NatsBuckets {
  private readonly wanted = new Map<string, number | undefined>();

  constructor(
    private readonly client: JetStreamClient,
    private readonly awaited: AwaitedStreams | undefined,
    private readonly clock: Clock,
    private readonly replicas: number | undefined,
  ) {}

  async open<Value>(bucket: string, ttlSeconds: number | undefined, owner: StoreOwner): Promise<KeyValueStore<Value>> {
    if (this.awaited) {
      await this.awaited.untilThere(`KV_${bucket}`);
      const opened = await untilAnswered(() => new Kvm(this.client).open(bucket), this.clock);
      return new NatsKeyValueStore<Value>(opened, bucket, owner);
    }
    this.wanted.set(bucket, ttlSeconds);
    const made = await untilAnswered(() => this.make(bucket, ttlSeconds), this.clock);
    return new NatsKeyValueStore<Value>(made, bucket, owner);
  }

  /** Names of the streams behind the buckets. */
  names(): string[] {
    return [...this.wanted.keys()].map(bucket => `KV_${bucket}`);
  }

  async ensureAgain(): Promise<void> {
    const retry = { clock: this.clock, timeoutMs: restartedServerMs };
    for (const [bucket, ttlSeconds] of this.wanted) await untilReachable(() => this.make(bucket, ttlSeconds), retry);
  }

  private async make(bucket: string, ttlSeconds: number | undefined): Promise<KV> {
    const ttl = ttlSeconds === undefined ? {} : { ttl: ttlSeconds * 1000 };
    const store = await new Kvm(this.client).create(bucket, { history: 1, ...ttl, ...this.wish() });
    await this.replicate(`KV_${bucket}`);
    return store;
  }

  private wish(): { replicas?: number } {
    return this.replicas === undefined ? {} : { replicas: this.replicas };
  }

  /** `create` does not change an existing bucket, so the replicas are updated here. */
  private async replicate(stream: string): Promise<void> {
    if (this.replicas === undefined) return;
    const { streams } = await this.client.jetstreamManager(false);
    const { config } = await streams.info(stream);
    if (config.num_replicas !== this.replicas) await streams.update(stream, { num_replicas: this.replicas });
  }
}

class NatsKeyValueStore<Value> implements KeyValueStore<Value> {
  constructor(
    private readonly store: KV,
    private readonly bucket: string,
    private readonly owner: StoreOwner,
  ) {}

  async put(key: string, value: Value): Promise<void> {
    await this.attempt(() => this.store.put(key, encodePayload(value)));
  }

  async get(key: string): Promise<Value | undefined> {
    const entry = await this.attempt(() => this.store.get(key));
    return entry ? valueOf<Value>(entry) : undefined;
  }

  async delete(key: string): Promise<void> {
    await this.attempt(() => this.store.delete(key));
  }

  async watch(onEntry: (entry: KeyValueEntry<Value>) => void): Promise<Closeable> {
    const watch = new ReopenedIteration<KvWatchEntry>(
      () => this.store.watch(),
      entry => onEntry({ key: entry.key, value: valueOf<Value>(entry), revision: entry.revision }),
      this.owner,
    );
    await watch.start();
    return this.owner.track(() => watch.close());
  }

  private async attempt<Result>(action: () => Promise<Result>): Promise<Result> {
    if (!this.owner.isConnected()) throw new NoResponderError(this.bucket);
    try {
      return await action();
    } catch (error) {
      throw toBusError(error, this.bucket);
    }
  }
}

/** A deleted key remains as an entry without a value. */
function valueOf<Value>(entry: KvEntry): Value | undefined {
  return entry.operation === 'PUT' ? entry.json<Value>() : undefined;
}
