import type { Bus, Closeable } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { type Fact, type FactBody, factMessageID, factSubject } from '@rtms/contracts';
import type { Logger } from '@rtms/logging';
import { inThisTrace } from '@rtms/tracing';

const firstRetryMs = 100;
const longestRetryMs = 2000;
const closeTimeoutMs = 5000;

interface WaitingFact {
  fact: Fact;
  /** Sends the fact in the trace of the reporting request. */
  publish: () => Promise<void>;
}

interface ResourceQueue {
  waiting: WaitingFact[];
  isForgotten: boolean;
  sending: Promise<void>;
}

/** Keeps each fact until the bus has stored it. Sends the facts of one resource in order, one at a time. */
export class FactOutbox {
  private readonly queues = new Map<string, ResourceQueue>();
  private readonly closing = new AbortController();
  private readonly listening: Closeable;
  private reconnected = new AbortController();
  /** The last fact number. A number is never reused within an epoch, even if a forgotten resource is opened again. */
  private sequence = 0;

  constructor(
    private readonly bus: Bus,
    private readonly node: { nodeID: string; epoch: number },
    private readonly logger: Logger,
    private readonly clock: Clock,
  ) {
    this.listening = bus.onConnectionChange(connected => {
      if (connected) this.endPauses();
    });
  }

  /** Queues a fact with its number and time, and sends it in the background. */
  report(resourceID: string, body: FactBody, requestID?: string): Fact {
    const queue = this.queueOf(resourceID);
    this.sequence += 1;
    queue.isForgotten = false;
    const fact: Fact = {
      resourceID,
      ...this.node,
      sequence: this.sequence,
      at: new Date(this.clock.now()).toISOString(),
      ...(requestID !== undefined && { requestID }),
      body,
    };
    queue.waiting.push({ fact, publish: inThisTrace(() => this.publish(fact)) });
    if (queue.waiting.length === 1) queue.sending = this.drain(resourceID, queue);
    return fact;
  }

  /** The resource has ended. Removes its queue once its last fact is stored. */
  forget(resourceID: string): void {
    const queue = this.queues.get(resourceID);
    if (!queue) return;
    queue.isForgotten = true;
    this.dropIfDone(resourceID, queue);
  }

  /** The number of facts that the bus has not stored yet. */
  get waitingCount(): number {
    return [...this.queues.values()].reduce((sum, queue) => sum + queue.waiting.length, 0);
  }

  /** Resolves when all facts reported so far are stored. */
  async flush(): Promise<void> {
    await Promise.all([...this.queues.values()].map(queue => queue.sending));
  }

  /** Waits up to 5 s for the remaining facts, then drops them. */
  async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    const giveUp = this.clock.after(closeTimeoutMs, () => this.abort());
    await this.flush();
    giveUp.cancel();
    this.abort();
    await this.listening.close();
  }

  private queueOf(resourceID: string): ResourceQueue {
    const existing = this.queues.get(resourceID);
    if (existing) return existing;
    const queue = { waiting: [], isForgotten: false, sending: Promise.resolve() };
    this.queues.set(resourceID, queue);
    return queue;
  }

  private async drain(resourceID: string, queue: ResourceQueue): Promise<void> {
    for (let next = queue.waiting[0]; next; next = queue.waiting[0]) {
      await this.store(next);
      queue.waiting.shift();
    }
    this.dropIfDone(resourceID, queue);
  }

  private dropIfDone(resourceID: string, queue: ResourceQueue): void {
    if (queue.isForgotten && queue.waiting.length === 0) this.queues.delete(resourceID);
  }

  private publish(fact: Fact): Promise<void> {
    return this.bus.publish(factSubject(fact), fact, factMessageID(fact));
  }

  private async store({ fact, publish }: WaitingFact): Promise<void> {
    for (let retryMs = firstRetryMs; !this.closing.signal.aborted; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
      try {
        await publish();
        return;
      } catch (error) {
        this.logger.warn(
          { err: error, resourceID: fact.resourceID, type: fact.body.type },
          'cannot store a fact; retrying',
        );
        await this.clock.pause(retryMs, this.reconnected.signal);
      }
    }
    this.logger.error({ resourceID: fact.resourceID, type: fact.body.type }, 'dropped a fact at shutdown');
  }

  private endPauses(): void {
    this.reconnected.abort();
    this.reconnected = new AbortController();
  }

  private abort(): void {
    this.closing.abort();
    this.endPauses();
  }
}
