import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Bus, Closeable, StreamMessage } from '@rtms/bus';
import type { Clock } from '@rtms/clock';
import { factStream, type Fact } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { RepeatingService } from '../../platform/jobs/repeating-task.js';
import { AdvisoryLocksService } from '../../platform/database/advisory-locks.service.js';
import { inBackground } from '../../platform/database/connection-pools.js';
import { DatabaseReadinessService } from '../../platform/database/database-readiness.service.js';
import { BUS, CLOCK } from '../../platform/runtime/runtime.module.js';
import { consumerOf, factLanes, factResources, resourceIDOf, type FactResource } from './fact-backlog.service.js';
import { FactRouter } from './fact-router.js';
import { factOf } from './parse-fact.js';
import { isOwnFault, isRefused } from './unusable-fact.js';

/** `postponed`: the gateway could not store the fact, and the stream delivers it again. */
export type FactOutcome = 'applied' | 'dropped' | 'postponed';
type FactListener = (fact: Fact, outcome: FactOutcome) => void;

/** The consumer of former releases, which received all facts. */
const formerDurable = 'gateway';

/** How often a replica checks whether the facts need another replica. */
const lookMs = 1_000;

/** The stream delivers a failing fact every 5 s: one warning for the first failure, then one every 50 s. */
const deliveriesPerWarning = 10;

/**
 * Consumes the facts of media nodes and acknowledges each fact after its commit. Facts about one resource are applied in
 * order, facts about different resources in parallel. One replica consumes at a time, because two could not keep the order.
 * During an outage of the database the stream delivers a fact again and again, and the facts behind it wait.
 */
@Injectable()
export class FactsConsumer extends RepeatingService {
  private readonly logger = new Logger(FactsConsumer.name);
  private readonly listeners = new Set<FactListener>();
  private readonly closing = new AbortController();
  private connection: Closeable | undefined;
  /** Aborts when the connection to the bus is lost. */
  private cutOff = new AbortController();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly router: FactRouter,
    private readonly database: DatabaseReadinessService,
    private readonly locks: AdvisoryLocksService,
    @Inject(CLOCK) clock: Clock,
  ) {
    super(clock, lookMs);
  }

  override onApplicationBootstrap(): void {
    this.connection = this.bus.onConnectionChange(connected => this.onConnectionChange(connected));
    super.onApplicationBootstrap();
  }

  override async onApplicationShutdown(): Promise<void> {
    this.closing.abort();
    await this.connection?.close();
    await super.onApplicationShutdown();
  }

  /** Calls back with each consumed fact and its outcome. */
  onTaken(listener: FactListener): void {
    this.listeners.add(listener);
  }

  /** Without a connection this replica gives up its turn, since another replica may have a connection. */
  private onConnectionChange(connected: boolean): void {
    if (connected) return this.task.trigger();
    this.cutOff.abort();
    this.cutOff = new AbortController();
  }

  /** Returns when another replica has the turn, or when this replica must give it up. */
  protected async run(): Promise<void> {
    const isOver = [this.closing.signal, this.cutOff.signal];
    if (!this.bus.isConnected()) return;
    await this.locks.under('facts', lost => this.takeUntil([...isOver, lost]));
  }

  private async takeUntil(endings: AbortSignal[]): Promise<void> {
    await this.bus.ensureStream(factStream);
    const opened: Closeable[] = [];
    try {
      for (const resource of factResources) opened.push(await this.open(resource));
      await Promise.race(endings.map(untilAborted));
    } finally {
      await Promise.all(opened.map(each => each.close()));
    }
  }

  private open(resource: FactResource): Promise<Closeable> {
    const { atOnce } = factLanes[resource];
    const options = { ...consumerOf(resource), atOnce, keyOf: resourceIDOf, replaces: formerDurable };
    return this.bus.consume(options, message => this.take(message));
  }

  private async take({ subject, payload, deliveries }: StreamMessage<unknown>): Promise<void> {
    const fact = factOf({ subject, payload });
    if (!fact) return this.logger.warn({ subject }, 'a message is not a fact and is skipped');
    try {
      await inBackground(() => this.router.apply(fact));
      this.note(fact);
      this.tell(fact, 'applied');
    } catch (error) {
      if (await this.isUnusable(error, deliveries)) return this.drop(fact, error);
      this.tell(fact, 'postponed');
      this.warn(fact, error, deliveries);
      throw error;
    }
  }

  /** Whether the fact causes the failure, not the state of the database. */
  private async isUnusable(error: unknown, deliveries: number): Promise<boolean> {
    if (isRefused(error, deliveries)) return true;
    return isOwnFault(error, deliveries) && this.database.answers();
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
    this.tell(fact, 'dropped');
    this.logger.error(failureOf(fact, error), 'a fact cannot be stored and is dropped');
  }
}

function failureOf({ requestID, resourceID, sequence, body: { type } }: Fact, error: unknown): object {
  const message = messageOf(error);
  return { requestID, resourceID, sequence, type, message };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
