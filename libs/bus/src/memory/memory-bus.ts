import { randomUUID } from 'node:crypto';
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
import { DeadlineError, NoResponderError, RemoteError, toFailure } from '../port/bus-errors.js';
import { hearSafely, Listeners, RequestListeners, type RequestListener } from '../port/listeners.js';
import { MemoryBroker } from './memory-broker.js';
import { MemoryKeyValueStore } from './memory-key-value.js';
import { MemoryConsumer } from './memory-stream.js';

const defaultDeadlineMs = 5000;

/**
 * The bus inside one process, for tests. Several instances on one broker are clients of one server. `disconnect()` and
 * `reconnect()` simulate an outage of one client.
 */
export class MemoryBus implements Bus {
  private readonly opened = new Set<Closeable>();
  private readonly listeners = new Listeners<boolean>();
  private readonly requests = new RequestListeners();
  private connected = true;

  constructor(private readonly broker: MemoryBroker = new MemoryBroker()) {}

  request<Request, Reply>(
    address: Address<Request, Reply>,
    request: Request,
    options: RequestOptions = {},
  ): Promise<Reply> {
    return this.requests.watch(address.subject, this.ask(address, request, options));
  }

  onRequestDone(listener: RequestListener): Closeable {
    return this.requests.add(listener);
  }

  respond<Request, Reply>(
    address: Address<Request, Reply>,
    handler: (request: Request, context: RequestContext) => Promise<Reply>,
    { balanced = false }: RespondOptions = {},
  ): Promise<Closeable> {
    const answer = async (request: unknown, context: RequestContext): Promise<unknown> => {
      try {
        return await handler(request as Request, context);
      } catch (error) {
        throw new RemoteError(overTheWire(toFailure(error)));
      }
    };
    const leave = this.broker.addResponder(address.subject, { answer, balanced });
    return Promise.resolve(this.track(leave));
  }

  ensureStream(stream: { name: string; subjects: readonly string[] }): Promise<void> {
    this.broker.ensureStream(stream.name, stream.subjects);
    return Promise.resolve();
  }

  async publish(subject: string, payload: unknown, messageID: string): Promise<void> {
    const stream = this.connected ? this.broker.streamOf(subject) : undefined;
    if (!stream) throw new NoResponderError(subject);
    await Promise.resolve();
    stream.append(subject, overTheWire(payload), messageID);
  }

  consume<Payload>(
    options: ConsumeOptions,
    handler: (message: StreamMessage<Payload>) => Promise<void>,
  ): Promise<Closeable> {
    const stream = this.broker.stream(options.stream);
    if (options.replaces !== undefined) stream.removeCursor(options.replaces);
    const cursor = stream.cursor(options.durable, options.subject);
    const untyped = handler as (message: StreamMessage<unknown>) => Promise<void>;
    const consumer = new MemoryConsumer(cursor, options, untyped, () => this.connected);
    const listening = this.listeners.add(() => cursor.handOut());
    consumer.start();
    return Promise.resolve(this.track(() => Promise.all([listening.close(), consumer.close()])));
  }

  async backlog({ stream, durable }: DurableConsumer): Promise<Backlog> {
    this.requireConnection(stream);
    return this.broker.stream(stream).existingCursor(durable).backlog();
  }

  async waitingUnder(consumer: DurableConsumer, subjects: readonly string[]): Promise<Set<string>> {
    this.requireConnection(consumer.stream);
    return this.broker.stream(consumer.stream).cursor(consumer.durable, consumer.subject).waitingUnder(subjects);
  }

  announce(subject: string, payload: unknown): void {
    if (!this.connected) return;
    for (const hear of this.broker.listenersTo(subject)) hear({ subject, payload: overTheWire(payload) });
  }

  listen<Payload>(pattern: string, handler: (message: HeardMessage<Payload>) => void): Promise<Closeable> {
    let isOpen = true;
    // As on a network, `announce` returns before a listener runs.
    const leave = this.broker.addListener(pattern, message =>
      queueMicrotask(() => {
        if (isOpen && this.connected) hearSafely(handler, message as HeardMessage<Payload>);
      }),
    );
    return Promise.resolve(
      this.track(() => {
        isOpen = false;
        leave();
      }),
    );
  }

  keyValue<Value>(bucket: string, options: { ttlSeconds?: number } = {}): Promise<KeyValueStore<Value>> {
    const shared = this.broker.bucket(bucket, options.ttlSeconds);
    const client = {
      track: (leave: () => void) => this.track(leave),
      requireConnection: () => this.requireConnection(bucket),
    };
    return Promise.resolve(new MemoryKeyValueStore<Value>(shared, client));
  }

  async copies(): Promise<StoredCopies[]> {
    this.requireConnection('streams');
    return this.broker.storedNames().map(name => ({ name, wanted: 1, current: 1 }));
  }

  isConnected(): boolean {
    return this.connected;
  }

  onConnectionChange(listener: (connected: boolean) => void): Closeable {
    return this.listeners.add(listener);
  }

  /** Disconnects this client from the broker. */
  disconnect(): void {
    this.setConnected(false);
  }

  reconnect(): void {
    this.setConnected(true);
  }

  /**
   * Resolves once open consumers have acknowledged, and listeners have received, all messages that were sent before this
   * call. Await it before you assert that a reaction is absent.
   */
  async settled(): Promise<void> {
    await Promise.resolve();
    await this.broker.settled();
  }

  async close(): Promise<void> {
    await Promise.all([...this.opened].map(opened => opened.close()));
    this.setConnected(false);
    this.listeners.clear();
  }

  private setConnected(connected: boolean): void {
    if (this.connected === connected) return;
    this.connected = connected;
    this.listeners.tell(connected);
  }

  private requireConnection(subject: string): void {
    if (!this.connected) throw new NoResponderError(subject);
  }

  private async ask<Request, Reply>(
    address: Address<Request, Reply>,
    request: Request,
    options: RequestOptions,
  ): Promise<Reply> {
    const { subject } = address;
    const responders = this.connected ? this.broker.respondersAt(subject) : [];
    if (responders.length === 0) throw new NoResponderError(subject);
    const deadlineMs = options.deadlineMs ?? defaultDeadlineMs;
    const context = {
      requestID: options.requestID ?? randomUUID(),
      deadline: new Date(this.broker.clock.now() + deadlineMs),
    };
    const firstReply = Promise.race(responders.map(({ answer }) => answer(overTheWire(request), context)));
    const reply = await this.within(deadlineMs, subject, firstReply);
    return overTheWire(reply) as Reply;
  }

  private within<Reply>(deadlineMs: number, subject: string, reply: Promise<Reply>): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const timer = this.broker.clock.after(deadlineMs, () => reject(new DeadlineError(subject)));
      reply.then(resolve, reject).finally(() => timer.cancel());
    });
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

/** Converts to JSON and back, so that both sides share no object. */
function overTheWire<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value ?? null)) as Value;
}
