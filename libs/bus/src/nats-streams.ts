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
import type { Backlog, ConsumeOptions, DurableConsumer } from './bus.js';
import { withPrivateReply } from './private-reply.js';
import type { AwaitedStreams } from './awaited-streams.js';
import { filtersThatMatch } from './subject-matches.js';
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
/**
 * How long a message may be with a reader that says nothing; the reader says something every third of it. A new reader does
 * not wait for that: it takes over.
 */
export const ackWaitMs = 30_000;
/** So many messages a reader gets in advance: some 1 MB. */
export const inHandAtMost = 1000;
/** Questions about single messages on their way at the same time. */
const questionsAtOnce = 50;
/** The server names so many subjects in one answer of some 1.3 MB: the gateway reads it in about 20 ms. */
const namedAtMost = 20_000;
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

  /**
   * Makes the consumer anew, so that the server hands out all that was not acknowledged, at once and in order. A consumer
   * that went on would hand out later messages before those that a lost reader still has.
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
      // A work queue has nothing else than what was not acknowledged.
      ...(former && config.retention !== RetentionPolicy.Workqueue
        ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: former.ack_floor.stream_seq + 1 }
        : { deliver_policy: DeliverPolicy.All }),
    });
    return this.manager.jetstream().consumers.get(stream, durable);
  }

  async backlog({ stream, durable, subject = '>' }: DurableConsumer): Promise<Backlog> {
    const info = await this.infoOf(stream, durable);
    if (!info) throw new Error(`nobody has read ${stream} as ${durable} yet`);
    const count = unacknowledgedIn(info);
    if (count === 0) return { count, oldestAt: undefined };
    const query = { seq: info.ack_floor.stream_seq + 1, next_by_subj: subject };
    const oldest = await this.manager.streams.getMessage(stream, query);
    // Acknowledged since the first question.
    if (!oldest) return { count: 0, oldestAt: undefined };
    return { count, oldestAt: oldest.time };
  }

  /**
   * A work queue holds exactly the messages that are not acknowledged, so the server names their subjects in one answer.
   * A stream of a former version, and one with very many subjects, is asked about each subject alone.
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

  /** Those of the subjects whose last message comes after the acknowledged ones. */
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

  /** undefined: there is no such consumer. */
  private async infoOf(stream: string, durable: string): Promise<ConsumerInfo | undefined> {
    try {
      return await this.manager.consumers.info(stream, durable);
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === consumerNotFound) return undefined;
      throw toBusError(error, `${stream}.${durable}`);
    }
  }

  /** Answers how far the consumer was; undefined: there was none. */
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

function unacknowledgedIn(info: ConsumerInfo): number {
  return info.num_pending + info.num_ack_pending;
}

/** The server's "consumer not found". */
const consumerNotFound = 10_014;

/** The server's "stream name already in use with a different configuration". */
const streamNameInUse = 10_058;

function isOtherConfiguration(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === streamNameInUse;
}
