import type { Clock } from '@rtms/clock';
import type { StreamMessage } from './bus.js';
import { redeliveryDelay } from './redelivery-delay.js';

const dedupeWindowMs = 120_000;

interface StoredMessage {
  subject: string;
  payload: unknown;
}

/** A stream with its consumers' places in it. */
export class MemoryStream {
  readonly messages: StoredMessage[] = [];
  private readonly seen = new Map<string, number>();
  private readonly cursors = new Map<string, MemoryCursor>();

  constructor(
    readonly subjects: readonly string[],
    readonly clock: Clock,
  ) {}

  append(subject: string, payload: unknown, messageID: string): void {
    const seenAt = this.seen.get(messageID);
    const now = this.clock.now();
    if (seenAt !== undefined && now - seenAt < dedupeWindowMs) return;
    this.seen.set(messageID, now);
    this.messages.push({ subject, payload });
    for (const cursor of this.cursors.values()) cursor.wake();
  }

  cursor(durable: string): MemoryCursor {
    const existing = this.cursors.get(durable);
    if (existing) return existing;
    const cursor = new MemoryCursor(this);
    this.cursors.set(durable, cursor);
    return cursor;
  }

  /** Resolves once the open consumers have acknowledged each message that is stored at this moment. */
  async settled(): Promise<void> {
    const stored = this.messages.length;
    await Promise.all([...this.cursors.values()].map(cursor => cursor.acknowledged(stored)));
  }
}

/** The place of a durable consumer in its stream; one member at a time has the next message. */
export class MemoryCursor {
  private next = 0;
  private deliveries = 0;
  private isTaken = false;
  private members = 0;
  private waiting: (() => void)[] = [];

  constructor(private readonly stream: MemoryStream) {}

  get clock(): Clock {
    return this.stream.clock;
  }

  join(): void {
    this.members += 1;
  }

  leave(): void {
    this.members -= 1;
    this.wake();
  }

  take(): StreamMessage<unknown> | undefined {
    const message = this.stream.messages[this.next];
    if (this.isTaken || !message) return undefined;
    this.isTaken = true;
    this.deliveries += 1;
    return { subject: message.subject, payload: structuredClone(message.payload), deliveries: this.deliveries };
  }

  acknowledge(): void {
    this.next += 1;
    this.deliveries = 0;
    this.giveBack();
  }

  giveBack(): void {
    this.isTaken = false;
    this.wake();
  }

  /** Resolves once the first `count` messages are acknowledged, or when no member is left to do so. */
  async acknowledged(count: number): Promise<void> {
    while (this.next < count && this.members > 0) await this.change();
  }

  /** Resolves when there may be something to take. */
  change(): Promise<void> {
    return new Promise(resolve => this.waiting.push(resolve));
  }

  wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Hands a cursor's messages to one handler until it is closed. */
export class MemoryConsumer {
  private running: Promise<void> = Promise.resolve();
  private readonly closing = new AbortController();

  constructor(
    private readonly cursor: MemoryCursor,
    private readonly handler: (message: StreamMessage<unknown>) => Promise<void>,
    private readonly isReachable: () => boolean,
  ) {}

  start(): void {
    this.cursor.join();
    this.running = this.run().finally(() => this.cursor.leave());
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.cursor.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.closing.signal.aborted) {
      const message = this.isReachable() ? this.cursor.take() : undefined;
      if (message) await this.handle(message);
      else await this.cursor.change();
    }
  }

  private async handle(message: StreamMessage<unknown>): Promise<void> {
    try {
      await this.handler(message);
      this.cursor.acknowledge();
    } catch {
      await this.cursor.clock.pause(redeliveryDelay(message.deliveries), this.closing.signal);
      this.cursor.giveBack();
    }
  }
}
