import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Bus, Closeable, StreamMessage } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { factStream, type Fact } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { DataSource } from 'typeorm';
import { openWhenPossible } from '../background/open-when-possible.js';
import { BUS, CLOCK } from '../runtime.module.js';
import { FactRouter } from './fact-router.service.js';
import { factOf } from './parse-fact.js';
import { isOwnFault, isRefused } from './unusable-fact.js';

export const factOutcomes = ['applied', 'dropped', 'postponed'] as const;
/** `postponed`: it could not be stored now, and will be given out again. */
export type FactOutcome = (typeof factOutcomes)[number];
type FactListener = (fact: Fact, outcome: FactOutcome) => void;

/** All replicas of the gateway share one place in the stream. */
const durable = 'gateway';

/** A fact that keeps failing is given out every 5 s: one warning for its first failure, then one in 50 s. */
const deliveriesPerWarning = 10;

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
    private readonly dataSource: DataSource,
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
      if (await this.isUnusable(error, deliveries)) return this.drop(fact, error);
      this.hasFailed = true;
      this.tell(fact, 'postponed');
      this.warn(fact, error, deliveries);
      throw error;
    }
  }

  /** Whether the fact itself is the cause, not the state of the database. */
  private async isUnusable(error: unknown, deliveries: number): Promise<boolean> {
    if (isRefused(error, deliveries)) return true;
    return isOwnFault(error, deliveries) && this.databaseAnswers();
  }

  private databaseAnswers(): Promise<boolean> {
    return this.dataSource.query('SELECT 1').then(
      () => true,
      () => false,
    );
  }

  private tell(fact: Fact, outcome: FactOutcome): void {
    for (const listener of this.listeners) listener(fact, outcome);
  }

  private note({ requestID, resourceID, body: { type } }: Fact): void {
    if (requestID !== undefined) this.logger.log({ requestID, resourceID, type }, 'a fact was applied');
  }

  private warn(fact: Fact, error: unknown, deliveries: number): void {
    if (deliveries !== 1 && deliveries % deliveriesPerWarning !== 0) return;
    this.logger.warn({ ...failureOf(fact, error), deliveries }, 'a fact cannot be stored now and is tried again');
  }

  private drop(fact: Fact, error: unknown): void {
    // The last fact that failed is no longer waited for.
    this.hasFailed = false;
    this.tell(fact, 'dropped');
    this.logger.error(failureOf(fact, error), 'a fact cannot be stored and is dropped');
  }
}

function failureOf({ requestID, resourceID, sequence, body: { type } }: Fact, error: unknown): object {
  const message = messageOf(error);
  return { requestID, resourceID, sequence, type, message };
}
