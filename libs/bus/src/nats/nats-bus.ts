import { systemClock, type Clock } from '@rtms/clock';
import { jetstreamManager } from '@nats-io/jetstream';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import type {
  Address,
  Backlog,
  Bus,
  Closeable,
  ConsumeOptions,
  DurableConsumer,
  HeardMessage,
  KeyValueStore,
  RequestContext,
  RequestOptions,
  RespondOptions,
  StoredCopies,
  StreamMessage,
} from '../port/bus.js';
import { answering, asking, publishing } from './bus-spans.js';
import { NoResponderError, RemoteError, toFailure } from '../port/bus-errors.js';
import { AwaitedStreams } from './until-reachable.js';
import { hearSafely, Listeners, RequestListeners, type RequestListener } from '../port/listeners.js';
import { NatsBuckets } from './nats-buckets.js';
import { openConnection, type NatsAddress } from './nats-connection.js';
import { consumeStream } from './nats-consumer.js';
import { NatsStreams, type StreamStorage } from './nats-streams.js';
import {
  openSubscription,
  type OpenedSubscription,
  decodeContext,
  decodePayload,
  encodePayload,
  failureHeaders,
  isFailure,
  publishHeaders,
  requestHeaders,
  traceOf,
  withPrivateReply,
  toBusError,
} from './nats-wire.js';
import { WorkInHand } from './work-in-hand.js';

const defaultDeadlineMs = 5000;
/** ms that `close` waits for responders in progress. */
const closeTimeoutMs = 2000;

export interface NatsBusOptions extends NatsAddress {
  /** `create` provisions streams and buckets. `await` waits until another service has created them. Default: `create`. */
  provision?: 'create' | 'await';
  /** Storage of the streams and buckets that this client creates. */
  storage?: StreamStorage | undefined;
  /** Receives errors that the server reports, for example a permission violation. */
  onProblem?: (problem: Error) => void;
  /** Receives the name of a stream that the client waits for. */
  onWaiting?: (stream: string) => void;
  /** Default: the system clock. */
  clock?: Clock;
}

/** The bus on NATS with JetStream. After the first connection it reconnects without limit. */
export class NatsBus implements Bus {
  private readonly listeners = new Listeners<boolean>();
  private readonly requests = new RequestListeners();
  private readonly opened = new Set<Closeable>();
  private readonly answering: WorkInHand;
  private connected = true;

  private constructor(
    private readonly connection: NatsConnection,
    private readonly streams: NatsStreams,
    private readonly buckets: NatsBuckets,
    private readonly onProblem: (problem: Error) => void,
    readonly clock: Clock,
  ) {
    this.answering = new WorkInHand(clock);
    void this.followConnection();
  }

  static async connect(options: NatsBusOptions): Promise<NatsBus> {
    const { clock = systemClock } = options;
    const connection = await openConnection(options, clock);
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { provision = 'create', storage = {}, onProblem = () => undefined, onWaiting = () => undefined } = options;
    const awaiting = provision === 'await' ? new AwaitedStreams(manager, clock, onWaiting) : undefined;
    const streams = new NatsStreams(manager, awaiting, clock, storage);
    const buckets = new NatsBuckets(manager.jetstream(), awaiting, clock, storage.replicas);
    return new NatsBus(connection, streams, buckets, onProblem, clock);
  }

  request<Request, Reply>(
    address: Address<Request, Reply>,
    request: Request,
    options: RequestOptions = {},
  ): Promise<Reply> {
    const ask = (): Promise<Reply> => this.ask(address.subject, request, options);
    return this.requests.watch(address.subject, asking(address.subject, options.requestID, ask));
  }

  onRequestDone(listener: RequestListener): Closeable {
    return this.requests.add(listener);
  }

  private async ask<Reply>(subject: string, request: unknown, options: RequestOptions): Promise<Reply> {
    // Fail while disconnected: the client would buffer the request, and the responder would execute it after the deadline.
    if (!this.connected) throw new NoResponderError(subject);
    const timeout = options.deadlineMs ?? defaultDeadlineMs;
    const headers = requestHeaders(options.requestID, timeout);
    const send = (): Promise<Msg> => this.connection.request(subject, encodePayload(request), { timeout, headers });
    const message = await withPrivateReply(send).catch((error: unknown) => {
      throw toBusError(error, subject);
    });
    if (isFailure(message)) throw new RemoteError(decodePayload(message.data));
    return decodePayload<Reply>(message.data);
  }

  respond<Request, Reply>(
    address: Address<Request, Reply>,
    handler: (request: Request, context: RequestContext) => Promise<Reply>,
    { balanced = false }: RespondOptions = {},
  ): Promise<Closeable> {
    const onRequest = (message: Msg): void => this.answering.add(answer(message, handler, this.clock));
    const queue = balanced ? { queue: 'responders' } : {};
    const opened = openSubscription(this.connection, address.subject, onRequest, queue);
    const { subscription } = opened;
    // `drain` answers requests that the server has already delivered.
    const leave = (): unknown => (this.connected ? subscription.drain() : subscription.unsubscribe());
    return this.afterServerKnows(opened, leave);
  }

  async ensureStream(stream: { name: string; subjects: readonly string[] }): Promise<void> {
    await this.streams.ensure(stream);
  }

  async publish(subject: string, payload: unknown, messageID: string): Promise<void> {
    if (!this.connected) throw new NoResponderError(subject);
    await publishing(subject, () =>
      this.streams.publish(subject, encodePayload(payload), { id: messageID, headers: publishHeaders() }),
    );
  }

  async consume<Payload>(
    options: ConsumeOptions,
    handler: (message: StreamMessage<Payload>) => Promise<void>,
  ): Promise<Closeable> {
    const consumer = await consumeStream(this.streams, options, handler, this);
    return this.track(() => consumer.close());
  }

  backlog(consumer: DurableConsumer): Promise<Backlog> {
    return this.whileConnected(consumer, () => this.streams.backlog(consumer));
  }

  waitingUnder(consumer: DurableConsumer, subjects: readonly string[]): Promise<Set<string>> {
    return this.whileConnected(consumer, () => this.streams.waitingUnder(consumer, subjects));
  }

  announce(subject: string, payload: unknown): void {
    // Drop announcements while disconnected: a late one would be stale.
    if (this.connected) this.connection.publish(subject, encodePayload(payload));
  }

  listen<Payload>(pattern: string, handler: (message: HeardMessage<Payload>) => void): Promise<Closeable> {
    const opened = openSubscription(this.connection, pattern, ({ subject, data }) =>
      hearSafely(handler, { subject, payload: decodePayload<Payload>(data) }),
    );
    return this.afterServerKnows(opened, () => opened.subscription.unsubscribe());
  }

  async keyValue<Value>(bucket: string, options: { ttlSeconds?: number } = {}): Promise<KeyValueStore<Value>> {
    return this.buckets.open<Value>(bucket, options.ttlSeconds, {
      clock: this.clock,
      track: leave => this.track(leave),
      isConnected: () => this.connected,
      onConnectionChange: listener => this.onConnectionChange(listener),
    });
  }

  async copies(): Promise<StoredCopies[]> {
    if (!this.connected) throw new NoResponderError('streams');
    return Promise.all([...this.streams.names(), ...this.buckets.names()].map(name => this.streams.copiesOf(name)));
  }

  isConnected(): boolean {
    return this.connected;
  }

  onConnectionChange(listener: (connected: boolean) => void): Closeable {
    return this.listeners.add(listener);
  }

  async close(): Promise<void> {
    await Promise.all([...this.opened].map(opened => opened.close().catch(() => undefined)));
    await this.answering.settled(closeTimeoutMs);
    await this.connection.close();
    this.setConnected(false);
    this.listeners.clear();
  }

  private async whileConnected<Answer>({ stream }: DurableConsumer, ask: () => Promise<Answer>): Promise<Answer> {
    if (!this.connected) throw new NoResponderError(stream);
    return ask();
  }

  private async followConnection(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect' || status.type === 'close') this.setConnected(false);
      if (status.type === 'reconnect') await this.comeBack();
      if (status.type === 'error') this.onProblem(status.error);
    }
    this.setConnected(false);
  }

  /** Provisions streams and buckets before it reports the connection, because the server may have lost its store. */
  private async comeBack(): Promise<void> {
    await Promise.all([this.streams.ensureAgain(), this.buckets.ensureAgain()]).catch(() => undefined);
    if (!this.connection.isClosed()) this.setConnected(true);
  }

  private setConnected(connected: boolean): void {
    if (this.connected === connected) return;
    this.connected = connected;
    this.listeners.tell(connected);
  }

  /** Waits until the server knows the subscription, so that a request to this address finds the responder. */
  private async afterServerKnows(opened: OpenedSubscription, leave: () => unknown): Promise<Closeable> {
    if (this.connected) await this.connection.flush();
    const refusal = opened.refusal();
    if (refusal !== undefined) throw refusal;
    return this.track(leave);
  }

  private track(leave: () => unknown): Closeable {
    const closeable = {
      close: async (): Promise<void> => {
        if (this.opened.delete(closeable)) await leave();
      },
    };
    this.opened.add(closeable);
    return closeable;
  }
}

async function answer<Request, Reply>(
  message: Msg,
  handler: (request: Request, context: RequestContext) => Promise<Reply>,
  clock: Clock,
): Promise<void> {
  try {
    const context = decodeContext(message, clock);
    const reply = await answering(message.subject, { trace: traceOf(message.headers), ...context }, () =>
      handler(decodePayload<Request>(message.data), context),
    );
    message.respond(encodePayload(reply));
  } catch (error) {
    message.respond(encodePayload(toFailure(error)), { headers: failureHeaders() });
  }
}
