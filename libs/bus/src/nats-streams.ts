import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  JetStreamApiError,
  StorageType,
  type Consumer,
  type JetStreamManager,
} from '@nats-io/jetstream';
import type { Clock } from '@rtms/clock';
import { nanos, type MsgHdrs } from '@nats-io/transport-node';
import type { ConsumeOptions } from './bus.js';
import { withPrivateReply } from './private-reply.js';
import type { AwaitedStreams } from './awaited-streams.js';
import { toBusError } from './to-bus-error.js';
import { untilReachable } from './until-reachable.js';

export interface StreamDefinition {
  name: string;
  subjects: readonly string[];
}

/** How the servers keep what a client makes. */
export interface StreamStorage {
  /** Servers that have each stream and bucket; default: 1 for a new one, and as it is for one that exists. */
  replicas?: number | undefined;
  /** Of the messages of a stream; beyond it the oldest go. Default: 1 GiB. */
  maxBytes?: number | undefined;
  /** How long a stream keeps a message that nobody takes; default: 7 days. */
  maxAgeMs?: number | undefined;
}

const publishTimeoutMs = 5000;
const dedupeWindowMs = 120_000;
/** A fact that nobody took for a week says nothing about the present. */
const defaultMaxAgeMs = 7 * 24 * 3600 * 1000;
/** Some two million facts. */
const defaultMaxBytes = 1024 ** 3;
/** How long a message may be with a consumer that says nothing; the consumer says something every third of it. */
export const ackWaitMs = 6000;
const restartedServerMs = 10_000;

/** Streams that this client needs; if it makes them itself, made again when a server comes back without them. */
export class NatsStreams {
  private readonly wanted = new Map<string, StreamDefinition>();

  constructor(
    private readonly manager: JetStreamManager,
    private readonly awaited: AwaitedStreams | undefined,
    private readonly clock: Clock,
    private readonly storage: StreamStorage,
  ) {}

  async ensure(stream: StreamDefinition): Promise<void> {
    if (this.awaited) return this.awaited.untilThere(stream.name);
    this.wanted.set(stream.name, stream);
    await this.make(stream);
  }

  /** JetStream answers a moment after its server does. */
  async ensureAgain(): Promise<void> {
    const retry = { clock: this.clock, timeoutMs: restartedServerMs };
    for (const stream of this.wanted.values()) await untilReachable(() => this.make(stream), retry);
  }

  async publish(subject: string, data: string, message: { id: string; headers: MsgHdrs }): Promise<void> {
    const client = this.manager.jetstream();
    try {
      const { id: msgID, headers } = message;
      const options = { msgID, headers, timeout: publishTimeoutMs };
      await withPrivateReply(() => client.publish(subject, data, options));
    } catch (error) {
      throw toBusError(error, subject);
    }
  }

  async consumer({ stream, durable }: ConsumeOptions): Promise<Consumer> {
    const wanted = this.wanted.get(stream);
    if (wanted) await this.make(wanted);
    await this.manager.consumers.add(stream, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ackWaitMs),
      deliver_policy: DeliverPolicy.All,
      // One message in all at a time, however many replicas share the consumer: the order is the stream's.
      max_ack_pending: 1,
      max_deliver: -1,
    });
    return this.manager.jetstream().consumers.get(stream, durable);
  }

  private async make({ name, subjects }: StreamDefinition): Promise<void> {
    const { replicas, maxBytes = defaultMaxBytes, maxAgeMs = defaultMaxAgeMs } = this.storage;
    const config = {
      name,
      subjects: [...subjects],
      storage: StorageType.File,
      discard: DiscardPolicy.Old,
      duplicate_window: nanos(dedupeWindowMs),
      max_age: nanos(maxAgeMs),
      max_bytes: maxBytes,
      // An operator may have set another number by hand: without a wish of ours it stays.
      ...(replicas !== undefined && { num_replicas: replicas }),
    };
    try {
      // An acknowledged message goes at once.
      await this.manager.streams.add({ ...config, retention: RetentionPolicy.Workqueue });
    } catch (error) {
      if (!isOtherConfiguration(error)) throw error;
      // No server changes the retention of a stream that exists: one of a former version keeps what is acknowledged, too,
      // within the limits.
      await this.manager.streams.update(name, config);
    }
  }
}

/** The server's "stream name already in use with a different configuration". */
const streamNameInUse = 10_058;

function isOtherConfiguration(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === streamNameInUse;
}
