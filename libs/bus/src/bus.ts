import type { RequestListener } from './request-listeners.js';

/** Something opened that must be closed; closing twice does no harm. */
export interface Closeable {
  close(): Promise<void>;
}

/** Ties a subject to what travels on it; the two optional members exist for the compiler alone. */
export interface Address<Request, Reply> {
  readonly subject: string;
  readonly request?: Request;
  readonly reply?: Reply;
}

export interface RequestOptions {
  /** Milliseconds until the caller gives up; default 5,000. The responder sees what is left of it. */
  deadlineMs?: number;
  /** Travels along, for log lines on both sides. */
  requestID?: string;
}

export interface RequestContext {
  requestID: string;
  /** Ends when the caller no longer waits. */
  deadline: Date;
}

export interface StreamMessage<Payload> {
  subject: string;
  payload: Payload;
  /** How often it was given out, from 1. */
  deliveries: number;
}

/** A message that went to whoever listened at that moment. */
export interface HeardMessage<Payload> {
  subject: string;
  payload: Payload;
}

/** A place in a stream that outlives its reader. */
export interface DurableConsumer {
  stream: string;
  /** A later reader of this name goes on where the last one stopped. */
  durable: string;
  /** Only messages under such subjects; consumers of one stream must not overlap. Default: all. */
  subject?: string;
}

export interface ConsumeOptions extends DurableConsumer {
  /** The messages of one key are handed out in their order. Default: one key for all. */
  keyOf?: (subject: string) => string;
  /** So many messages, all of different keys, are handled at the same time. Default: 1. */
  atOnce?: number;
  /** The durable of an earlier release that had these messages: it is removed. */
  replaces?: string;
}

/** Messages that a durable consumer has not acknowledged. */
export interface Backlog {
  count: number;
  /** When the stream stored the first of them; undefined: there is none. */
  oldestAt: Date | undefined;
}

export interface KeyValueEntry<Value> {
  key: string;
  /** undefined: the key was deleted. */
  value: Value | undefined;
  /** The number of the change in its bucket. A watch that opens tells changes of former watches again, by the same numbers. */
  revision: number;
}

export interface KeyValueStore<Value> {
  put(key: string, value: Value): Promise<void>;
  get(key: string): Promise<Value | undefined>;
  delete(key: string): Promise<void>;
  /** Calls back with what is there, then with each change, also after a reconnect. Expiry is not reported. */
  watch(onEntry: (entry: KeyValueEntry<Value>) => void): Promise<Closeable>;
}

/**
 * The bus between the services: commands by request and reply, facts on a durable stream, news for whoever
 * listens, small shared values. Payloads are JSON.
 */
export interface Bus extends Closeable {
  /**
   * Asks whoever answers at the address. Throws `NoResponderError` at once when nobody listens,
   * `DeadlineError` when no reply came in time, `RemoteError` with the body that the responder failed with.
   */
  request<Request, Reply>(address: Address<Request, Reply>, request: Request, options?: RequestOptions): Promise<Reply>;
  /** Calls back when a request of this side is over, however it went. */
  onRequestDone(listener: RequestListener): Closeable;
  /** Answers at the address. An error that the handler throws travels to the caller, see `RemoteError`. */
  respond<Request, Reply>(
    address: Address<Request, Reply>,
    handler: (request: Request, context: RequestContext) => Promise<Reply>,
  ): Promise<Closeable>;
  /** Makes sure that a stream is there. */
  ensureStream(stream: { name: string; subjects: readonly string[] }): Promise<void>;
  /** Resolves once the message is on disk; a second one with the same id within two minutes is dropped. */
  publish(subject: string, payload: unknown, messageID: string): Promise<void>;
  /**
   * Gives out the stream's messages, those of one key one after the other. A message is acknowledged when the handler
   * resolves. When it throws, the same message is given out again after a pause that grows to 5 s, before any later one
   * of its key. After a crash on either side a message may come once more.
   *
   * A durable consumer has one reader at a time. A new reader takes over: it gets all that was not acknowledged, in order,
   * also what the former reader has in hand. The caller sees to it that two readers do not take over from each other.
   */
  consume<Payload>(
    options: ConsumeOptions,
    handler: (message: StreamMessage<Payload>) => Promise<void>,
  ): Promise<Closeable>;
  /** How far a durable consumer is behind, whoever reads it. Fails before it was read for the first time. */
  backlog(consumer: DurableConsumer): Promise<Backlog>;
  /**
   * Those of the subjects, in which `*` is any one token, under which a message is not acknowledged yet. Before the consumer
   * was read for the first time these are all messages.
   */
  waitingUnder(consumer: DurableConsumer, subjects: readonly string[]): Promise<Set<string>>;
  /** Tells all who listen at this moment. Nothing is kept: what is said during an outage is heard by nobody. */
  announce(subject: string, payload: unknown): void;
  /**
   * Hears what is announced under a subject, in each announcer's order; in the pattern `*` is any one token and `>`
   * all that follow. Resolves once nothing is missed any more. A handler that fails misses only that message.
   */
  listen<Payload>(pattern: string, handler: (message: HeardMessage<Payload>) => void): Promise<Closeable>;
  /** A bucket of small shared values; with `ttlSeconds`, each goes that long after its last put. */
  keyValue<Value>(bucket: string, options?: { ttlSeconds?: number }): Promise<KeyValueStore<Value>>;
  /** Whether the bus can be reached now. */
  isConnected(): boolean;
  /** Calls back on each change of `isConnected`. */
  onConnectionChange(listener: (connected: boolean) => void): Closeable;
}
