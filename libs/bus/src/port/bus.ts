import type { RequestListener } from './listeners.js';

/** A resource that the owner must close. Closing twice is safe. */
export interface Closeable {
  close(): Promise<void>;
}

/** A NATS subject with the types of its request and reply. The optional members exist only for the compiler. */
export interface Address<Request, Reply> {
  readonly subject: string;
  readonly request?: Request;
  readonly reply?: Reply;
}

export interface RequestOptions {
  /** ms until the request fails; default 5,000. The responder receives the remaining time. */
  deadlineMs?: number;
  /** Sent with the request, for log lines on both sides. */
  requestID?: string;
}

export interface RespondOptions {
  /** Only one of the responders with this option gets a request. For replicas that would all do the same work. */
  balanced?: boolean;
}

export interface RequestContext {
  requestID: string;
  /** The time at which the caller stops waiting. */
  deadline: Date;
}

export interface StreamMessage<Payload> {
  subject: string;
  payload: Payload;
  /** Number of deliveries of this message, from 1. */
  deliveries: number;
}

/** A message of `announce`. */
export interface HeardMessage<Payload> {
  subject: string;
  payload: Payload;
}

/** A durable consumer of a JetStream stream. */
export interface DurableConsumer {
  stream: string;
  /** The consumer's name. A new reader with this name continues after the last acknowledged message. */
  durable: string;
  /** Filter subject. Consumers of one stream must not overlap. Default: all subjects. */
  subject?: string;
}

export interface ConsumeOptions extends DurableConsumer {
  /** Messages of one key are delivered in order. Default: one key for all messages. */
  keyOf?: (subject: string) => string;
  /** How many messages, of different keys, are handled concurrently. Default: 1. */
  atOnce?: number;
  /** Consumer of an earlier release with the same messages. It is deleted. */
  replaces?: string;
}

/** Messages that a durable consumer has not acknowledged. */
export interface Backlog {
  count: number;
  /** When the stream stored the oldest of them; undefined if the count is 0. */
  oldestAt: Date | undefined;
}

/** Copies of a stream or bucket on the servers of the bus. */
export interface StoredCopies {
  /** The bus's own name of the stream; a bucket's begins with `KV_`. */
  name: string;
  /** How many there shall be. */
  wanted: number;
  /** How many have all messages now. */
  current: number;
}

export interface KeyValueEntry<Value> {
  key: string;
  /** undefined: the key was deleted. */
  value: Value | undefined;
  /** Sequence number of the change in its bucket. A new watch repeats earlier changes with the same numbers. */
  revision: number;
}

export interface KeyValueStore<Value> {
  put(key: string, value: Value): Promise<void>;
  get(key: string): Promise<Value | undefined>;
  delete(key: string): Promise<void>;
  /** Reports all entries, then each change, also after a reconnect. Does not report expiry. */
  watch(onEntry: (entry: KeyValueEntry<Value>) => void): Promise<Closeable>;
}

/**
 * The bus between the services: commands (request–reply), events on a durable stream, announcements (publish–subscribe) and
 * key-value buckets. Payloads are JSON.
 */
export interface Bus extends Closeable {
  /**
   * Sends a request and returns the reply. Throws `NoResponderError` at once without a responder, `DeadlineError` without a
   * reply in time, and `RemoteError` with the failure of the responder.
   */
  request<Request, Reply>(address: Address<Request, Reply>, request: Request, options?: RequestOptions): Promise<Reply>;
  /** Reports the outcome of each request of this client. */
  onRequestDone(listener: RequestListener): Closeable;
  /**
   * Answers requests at the address. The caller receives a thrown error as `RemoteError`. All responders at an address get
   * each request. The caller receives the first reply, so a dead responder with an open connection takes no request.
   */
  respond<Request, Reply>(
    address: Address<Request, Reply>,
    handler: (request: Request, context: RequestContext) => Promise<Reply>,
    options?: RespondOptions,
  ): Promise<Closeable>;
  /** Creates the stream if it does not exist, or waits until another service has created it. */
  ensureStream(stream: { name: string; subjects: readonly string[] }): Promise<void>;
  /** Resolves once the message is on disk. Drops a message with an id of the last two minutes. */
  publish(subject: string, payload: unknown, messageID: string): Promise<void>;
  /**
   * Delivers the stream's messages; messages of one key are delivered one at a time. The message is acknowledged when the
   * handler resolves. If the handler throws, the message is delivered again after a pause that grows to 5 s, before any later
   * message of its key. After a crash on either side, a message may be delivered again.
   *
   * A durable consumer has one reader. A new reader takes over and receives all unacknowledged messages in order, also those
   * that the former reader is handling. The caller must prevent two readers from taking over from each other.
   */
  consume<Payload>(
    options: ConsumeOptions,
    handler: (message: StreamMessage<Payload>) => Promise<void>,
  ): Promise<Closeable>;
  /** Returns the unacknowledged messages of a consumer. Throws if the consumer was never read. */
  backlog(consumer: DurableConsumer): Promise<Backlog>;
  /**
   * Returns the subjects with an unacknowledged message; `*` in a subject matches one token. All messages of a consumer that
   * was never read are unacknowledged.
   */
  waitingUnder(consumer: DurableConsumer, subjects: readonly string[]): Promise<Set<string>>;
  /** Publishes to all current listeners. The message is not stored, and is dropped while the bus is disconnected. */
  announce(subject: string, payload: unknown): void;
  /**
   * Listens for announcements, in the order of each announcer. In the pattern, `*` matches one token and `>` all following
   * tokens. Resolves once the subscription is active. A handler that throws misses only that message.
   */
  listen<Payload>(pattern: string, handler: (message: HeardMessage<Payload>) => void): Promise<Closeable>;
  /** Opens a bucket. With `ttlSeconds`, a value expires that long after its last put. */
  keyValue<Value>(bucket: string, options?: { ttlSeconds?: number }): Promise<KeyValueStore<Value>>;
  /** Returns the copies of all streams and buckets that this client has created. */
  copies(): Promise<StoredCopies[]>;
  /** Whether the bus is connected now. */
  isConnected(): boolean;
  /** Reports each change of `isConnected`. */
  onConnectionChange(listener: (connected: boolean) => void): Closeable;
}

/** A bus that can only send requests. */
export type Requester = Pick<Bus, 'request'>;

/** Returns a requester that sends `requestID` with every command, also with later ones. */
export function requesterFor(bus: Requester, requestID: string | undefined): Requester {
  if (requestID === undefined) return bus;
  return { request: (address, request, options) => bus.request(address, request, { requestID, ...options }) };
}
