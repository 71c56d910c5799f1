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

  constructor(readonly subjects: readonly string[]) {}

  append(subject: string, payload: unknown, messageID: string): void {
    const seenAt = this.seen.get(messageID);
    if (seenAt !== undefined && Date.now() - seenAt < dedupeWindowMs) return;
    this.seen.set(messageID, Date.now());
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
}

/** Where a durable consumer stands; one of its members at a time has the next message. */
export class MemoryCursor {
  private next = 0;
  private deliveries = 0;
  private isTaken = false;
  private waiting: (() => void)[] = [];

  constructor(private readonly stream: MemoryStream) {}

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
  private isClosed = false;
  private running: Promise<void> = Promise.resolve();
  private endPause: () => void = () => undefined;

  constructor(
    private readonly cursor: MemoryCursor,
    private readonly handler: (message: StreamMessage<unknown>) => Promise<void>,
    private readonly isReachable: () => boolean,
  ) {}

  start(): void {
    this.running = this.run();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.endPause();
    this.cursor.wake();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isClosed) {
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
      await this.pause(redeliveryDelay(message.deliveries));
      this.cursor.giveBack();
    }
  }

  private pause(ms: number): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
