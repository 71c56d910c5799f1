import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  JetStreamApiError,
  StorageType,
  type Consumer,
  type ConsumerInfo,
  type JetStreamManager,
} from '@nats-io/jetstream';
import type { Clock } from '@rtms/clock';
import { nanos, type MsgHdrs } from '@nats-io/transport-node';
import type { Backlog, ConsumeOptions, DurableConsumer, StoredCopies } from '../port/bus.js';
import { withPrivateReply, toBusError } from './nats-wire.js';
import { type AwaitedStreams, untilAnswered, untilReachable } from './until-reachable.js';
import { filtersThatMatch } from '../port/subjects.js';

export interface StreamDefinition {
  name: string;
  subjects: readonly string[];
}

/** Storage limits of streams and buckets. */
export interface StreamStorage {
  /** Replicas of each stream and bucket. Default: 1 for a new one; an existing one is not changed. */
  replicas?: number | undefined;
  /** Size of a stream, above which the oldest messages are deleted. Default: 1 GiB. */
  maxBytes?: number | undefined;
  /** Maximum age of a message, ms. Default: 7 days. */
  maxAgeMs?: number | undefined;
}

const publishTimeoutMs = 5000;
const dedupeWindowMs = 120_000;
/** A fact that is a week old is stale. */
const defaultMaxAgeMs = 7 * 24 * 3600 * 1000;
/** About two million facts. */
const defaultMaxBytes = 1024 ** 3;
/**
 * ms until the server redelivers a message without a sign of progress. The reader sends one every third of it. A new reader
 * takes over at once.
 */
export const ackWaitMs = 30_000;
/** Messages that a reader receives in advance, about 1 MB. */
export const inHandAtMost = 1000;
/** Concurrent queries for single messages. */
const questionsAtOnce = 50;
/** Subjects in one reply of the server, about 1.3 MB. The gateway parses it in about 20 ms. */
const namedAtMost = 20_000;
const restartedServerMs = 10_000;

/** The streams of this client. A provisioning client creates them again when a server restarts without them. */
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
    await untilAnswered(() => this.make(stream), this.clock);
  }

  /** Retries, because JetStream starts a moment after its server. */
  async ensureAgain(): Promise<void> {
    const retry = { clock: this.clock, timeoutMs: restartedServerMs };
    for (const stream of this.wanted.values()) await untilReachable(() => this.make(stream), retry);
  }

  names(): string[] {
    return [...this.wanted.keys()];
  }

  async copiesOf(name: string): Promise<StoredCopies> {
    const { config, cluster } = await this.manager.streams.info(name);
    // The leader lists the others.
    const others = (cluster?.replicas ?? []).filter(({ current, offline }) => current && !offline);
    return { name, wanted: config.num_replicas, current: 1 + others.length };
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

  /**
   * Deletes and creates the consumer, so that the server delivers all unacknowledged messages at once and in order. An
   * existing consumer would deliver later messages before those that a lost reader holds.
   */
  async takeOver({ stream, durable, subject, replaces }: ConsumeOptions): Promise<Consumer> {
    const wanted = this.wanted.get(stream);
    if (wanted) await this.make(wanted);
    if (replaces !== undefined) await this.remove(stream, replaces);
    const former = await this.remove(stream, durable);
    const { config } = await this.manager.streams.info(stream);
    await this.manager.consumers.add(stream, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ackWaitMs),
      max_ack_pending: inHandAtMost,
      max_deliver: -1,
      ...(subject !== undefined && { filter_subject: subject }),
      // A work queue contains only unacknowledged messages.
      ...(former && config.retention !== RetentionPolicy.Workqueue
        ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: former.ack_floor.stream_seq + 1 }
        : { deliver_policy: DeliverPolicy.All }),
    });
    return this.manager.jetstream().consumers.get(stream, durable);
  }

  async backlog({ stream, durable, subject = '>' }: DurableConsumer): Promise<Backlog> {
    const info = await this.infoOf(stream, durable);
    if (!info) throw new Error(`the consumer ${durable} of ${stream} does not exist yet`);
    const count = unacknowledgedIn(info);
    if (count === 0) return { count, oldestAt: undefined };
    const query = { seq: info.ack_floor.stream_seq + 1, next_by_subj: subject };
    const oldest = await this.manager.streams.getMessage(stream, query);
    // Acknowledged since the first query.
    if (!oldest) return { count: 0, oldestAt: undefined };
    return { count, oldestAt: oldest.time };
  }

  /**
   * A work queue contains exactly the unacknowledged messages, so one query returns their subjects. A stream of an earlier
   * version, or one with very many subjects, needs one query per subject.
   */
  async waitingUnder(
    { stream, durable, subject = '>' }: DurableConsumer,
    subjects: readonly string[],
  ): Promise<Set<string>> {
    const info = await this.infoOf(stream, durable);
    if (info && unacknowledgedIn(info) === 0) return new Set();
    const { config, state } = await this.manager.streams.info(stream);
    const { num_subjects: stored = 0 } = state;
    const isNamedAtOnce = config.retention === RetentionPolicy.Workqueue && stored <= namedAtMost;
    if (!isNamedAtOnce) return this.storedUnder(stream, subjects, info?.ack_floor.stream_seq ?? 0);
    const named = await this.manager.streams.info(stream, { subjects_filter: subject });
    return filtersThatMatch(subjects, Object.keys(named.state.subjects ?? {}));
  }

  /** Returns the subjects whose last message is after the acknowledged ones. */
  private async storedUnder(stream: string, subjects: readonly string[], acknowledged: number): Promise<Set<string>> {
    const found = new Set<string>();
    const look = async (subject: string): Promise<void> => {
      const last = await this.manager.streams.getMessage(stream, { last_by_subj: subject });
      if (last && last.seq > acknowledged) found.add(subject);
    };
    for (let from = 0; from < subjects.length; from += questionsAtOnce) {
      await Promise.all(subjects.slice(from, from + questionsAtOnce).map(look));
    }
    return found;
  }

  /** Returns undefined if the consumer does not exist. */
  private async infoOf(stream: string, durable: string): Promise<ConsumerInfo | undefined> {
    try {
      return await this.manager.consumers.info(stream, durable);
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === consumerNotFound) return undefined;
      throw toBusError(error, `${stream}.${durable}`);
    }
  }

  /** Deletes a consumer and returns its last state; undefined if it did not exist. */
  private async remove(stream: string, durable: string): Promise<ConsumerInfo | undefined> {
    const info = await this.infoOf(stream, durable);
    if (info) await this.manager.consumers.delete(stream, durable);
    return info;
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
      // Without a setting, keep the number that an operator may have set by hand.
      ...(replicas !== undefined && { num_replicas: replicas }),
    };
    try {
      // Work-queue retention deletes acknowledged messages at once.
      await this.manager.streams.add({ ...config, retention: RetentionPolicy.Workqueue });
    } catch (error) {
      if (!isOtherConfiguration(error)) throw error;
      // A server cannot change the retention of an existing stream. A stream of an earlier version keeps acknowledged
      // messages within the limits.
      await this.manager.streams.update(name, config);
    }
  }
}

function unacknowledgedIn(info: ConsumerInfo): number {
  return info.num_pending + info.num_ack_pending;
}

/** Server error "consumer not found". */
const consumerNotFound = 10_014;

/** Server error "stream name already in use with a different configuration". */
const streamNameInUse = 10_058;

function isOtherConfiguration(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === streamNameInUse;
}
