import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable, StreamMessage } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { factStream, type Fact } from '@rtms/contracts';
import { openWhenPossible } from '../background/open-when-possible.js';
import { BUS, CLOCK } from '../runtime.module.js';
import { FactRouter } from './fact-router.service.js';
import { factOf } from './parse-fact.js';
import { isUnusable } from './unusable-fact.js';

export const factOutcomes = ['applied', 'dropped', 'postponed'] as const;
/** `postponed`: it could not be stored now, and will be given out again. */
export type FactOutcome = (typeof factOutcomes)[number];
type FactListener = (fact: Fact, outcome: FactOutcome) => void;

/** All replicas of the gateway share one place in the stream. */
const durable = 'gateway';

/**
 * Takes the workers' facts from the stream, one after the other, and acknowledges each when it is committed. While
 * the database is away a fact is given out again and again, and those behind it wait.
 */
@Injectable()
export class FactsConsumer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(FactsConsumer.name);
  private consumer: Closeable | undefined;
  private readonly listeners = new Set<FactListener>();
  private hasFailed = false;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly router: FactRouter,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.consumer = openWhenPossible(this.clock, FactsConsumer.name, () => this.open());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.consumer?.close();
  }

  /** Calls back with each fact that was taken from the stream, once it is known what became of it. */
  onTaken(listener: FactListener): void {
    this.listeners.add(listener);
  }

  /** Whether the last fact could not be stored, so that the database says less than is known. */
  isBehind(): boolean {
    return this.hasFailed;
  }

  private async open(): Promise<Closeable> {
    await this.bus.ensureStream(factStream);
    return this.bus.consume({ stream: factStream.name, durable }, message => this.take(message));
  }

  private async take({ subject, payload, deliveries }: StreamMessage<unknown>): Promise<void> {
    const fact = factOf({ subject, payload });
    if (!fact) return this.logger.warn({ subject }, 'a message that is no fact was passed over');
    try {
      await this.router.apply(fact);
      this.note(fact);
      this.hasFailed = false;
      this.tell(fact, 'applied');
    } catch (error) {
      if (isUnusable(error, deliveries)) return this.drop(fact, error);
      this.hasFailed = true;
      this.tell(fact, 'postponed');
      throw error;
    }
  }

  private tell(fact: Fact, outcome: FactOutcome): void {
    for (const listener of this.listeners) listener(fact, outcome);
  }

  private note({ requestID, resourceID, body: { type } }: Fact): void {
    if (requestID !== undefined) this.logger.log({ requestID, resourceID, type }, 'a fact was applied');
  }

  private drop(fact: Fact, error: unknown): void {
    const {
      requestID,
      resourceID,
      sequence,
      body: { type },
    } = fact;
    this.tell(fact, 'dropped');
    const message = error instanceof Error ? error.message : String(error);
    this.logger.error({ requestID, resourceID, sequence, type, message }, 'a fact cannot be stored and is dropped');
  }
}
