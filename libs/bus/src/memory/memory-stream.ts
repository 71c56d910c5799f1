import type { Clock } from '@rtms/clock';
import type { Backlog, ConsumeOptions, StreamMessage } from '../port/bus.js';
import { OrderedWork } from '../port/ordered-work.js';
import { filtersThatMatch, subjectMatches } from '../port/subjects.js';

const dedupeWindowMs = 120_000;

interface StoredMessage {
  subject: string;
  payload: unknown;
  storedAt: number;
}

/** A stream with the positions of its consumers. */
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
    this.messages.push({ subject, payload, storedAt: now });
    for (const cursor of this.cursors.values()) cursor.handOut();
  }

  cursor(durable: string, filter = '>'): MemoryCursor {
    const existing = this.cursors.get(durable);
    if (existing) return existing;
    const cursor = new MemoryCursor(this, filter);
    this.cursors.set(durable, cursor);
    return cursor;
  }

  existingCursor(durable: string): MemoryCursor {
    const cursor = this.cursors.get(durable);
    if (!cursor) throw new Error(`there is no consumer ${durable}`);
    return cursor;
  }

  removeCursor(durable: string): void {
    this.cursors.delete(durable);
  }

  /** Resolves once the open consumers have acknowledged all messages that are stored now. */
  async settled(): Promise<void> {
    const stored = this.messages.length;
    await Promise.all([...this.cursors.values()].map(cursor => cursor.acknowledged(stored)));
  }
}

/** The position of a durable consumer in its stream. The newest reader receives the messages. */
export class MemoryCursor {
  private readonly acknowledgedOnes = new Set<number>();
  private readonly readers: MemoryConsumer[] = [];
  private current: MemoryConsumer | undefined;
  /** Index of the next message for the current reader. */
  private next = 0;
  private waiting: (() => void)[] = [];

  constructor(
    readonly stream: MemoryStream,
    private readonly filter: string,
  ) {}

  join(reader: MemoryConsumer): void {
    this.readers.push(reader);
    this.handOut();
  }

  leave(reader: MemoryConsumer): void {
    this.readers.splice(this.readers.indexOf(reader), 1);
    this.handOut();
    this.tell();
  }

  acknowledge(index: number): void {
    this.acknowledgedOnes.add(index);
    this.tell();
  }

  /** Delivers new messages; a new reader receives all unacknowledged messages. */
  handOut(): void {
    const reader = this.readers.findLast(each => each.isReachable());
    if (reader !== this.current) this.next = 0;
    this.current = reader;
    if (!reader) return;
    for (const message of this.stream.messages.slice(this.next)) {
      const index = this.next++;
      if (this.isOpen(message, index)) reader.take(index, message);
    }
  }

  backlog(): Backlog {
    const open = this.openMessages();
    return { count: open.length, oldestAt: open[0] && new Date(open[0].storedAt) };
  }

  waitingUnder(subjects: readonly string[]): Set<string> {
    return filtersThatMatch(
      subjects,
      this.openMessages().map(({ subject }) => subject),
    );
  }

  /** Resolves once the first `count` messages are acknowledged, or no reader is left. */
  async acknowledged(count: number): Promise<void> {
    const isBehind = (): boolean =>
      this.stream.messages.slice(0, count).some((message, index) => this.isOpen(message, index));
    while (this.readers.length > 0 && isBehind()) await new Promise<void>(resolve => this.waiting.push(resolve));
  }

  private openMessages(): StoredMessage[] {
    return this.stream.messages.filter((message, index) => this.isOpen(message, index));
  }

  private isOpen({ subject }: StoredMessage, index: number): boolean {
    return !this.acknowledgedOnes.has(index) && subjectMatches(this.filter, subject);
  }

  private tell(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Delivers a cursor's messages to one handler until it is closed. */
export class MemoryConsumer {
  /** Indexes of the messages in progress. */
  private readonly taken = new Set<number>();
  private readonly work: OrderedWork<{ index: number; message: StoredMessage }>;

  constructor(
    private readonly cursor: MemoryCursor,
    private readonly options: ConsumeOptions,
    handler: (message: StreamMessage<unknown>) => Promise<void>,
    readonly isReachable: () => boolean,
  ) {
    this.work = new OrderedWork({
      clock: cursor.stream.clock,
      atOnce: options.atOnce ?? 1,
      handle: async ({ index, message: { subject, payload } }, failures) => {
        await handler({ subject, payload: structuredClone(payload), deliveries: failures + 1 });
        this.taken.delete(index);
        cursor.acknowledge(index);
      },
    });
  }

  start(): void {
    this.cursor.join(this);
  }

  take(index: number, message: StoredMessage): void {
    if (this.taken.has(index)) return;
    this.taken.add(index);
    const { keyOf = () => '' } = this.options;
    // As on a network, `publish` returns before the handler runs.
    queueMicrotask(() => this.work.add(keyOf(message.subject), { index, message }));
  }

  async close(): Promise<void> {
    await this.work.close();
    this.cursor.leave(this);
  }
}
