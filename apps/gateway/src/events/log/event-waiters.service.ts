import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Clock, Timer } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { EventLogRepository } from './event-log.repository.js';

/** Finds events whose announcement was lost. */
const lookMs = 2_000;
const maxWaiters = 2_000;
const maxPerAccount = 50;

interface WatchedLog {
  last: number;
  waiters: Set<EventWaiter>;
}

/** A request that waits for events of its account. */
export interface EventWaiter {
  /** Resolves when the log has an event behind the sequence, after the time, or when the request or the gateway ends. */
  next(after: number, milliseconds: number): Promise<void>;
  /** Called when keys or sub-users of the account may have changed. `next` resolves then. */
  onKeyChange: () => void;
  close(): void;
}

/** Wakes requests that wait for events. The number of requests is bounded, for each account and for the process. */
@Injectable()
export class EventWaitersService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(EventWaitersService.name);
  private readonly logs = new Map<string, WatchedLog>();
  private readonly closing = new AbortController();
  private readonly wakers = new Map<EventWaiter, () => void>();
  private looking: Timer | undefined;

  constructor(
    private readonly repository: EventLogRepository,
    private readonly domainEvents: DomainEvents,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  get isClosing(): boolean {
    return this.closing.signal.aborted;
  }

  onApplicationBootstrap(): void {
    this.domainEvents.on('events.appended', appended => {
      for (const { accountID, lastSequence } of appended) this.raise(accountID, lastSequence);
    });
    this.domainEvents.on('resources.changed', changes => {
      for (const { kind, accountID } of changes)
        if (kind === 'key' || kind === 'disposableKey' || kind === 'subUser') this.noteKeyChange(accountID);
    });
  }

  beforeApplicationShutdown(): void {
    this.close();
  }

  /** All waiting ends, so that a stopping gateway waits for no request. */
  close(): void {
    this.closing.abort();
    this.looking?.cancel();
    for (const wake of [...this.wakers.values()]) wake();
  }

  /** Throws RATE_LIMITED, `too_many_waiting`, or SERVICE_UNAVAILABLE when the gateway has no place. */
  open(accountID: string): EventWaiter {
    const log = this.logs.get(accountID) ?? { last: 0, waiters: new Set<EventWaiter>() };
    if (log.waiters.size >= maxPerAccount) {
      const message = `At most ${maxPerAccount} requests of an account can wait for events on a gateway. Close some of them.`;
      throw new ServiceError('too_many_waiting', message);
    }
    const open = [...this.logs.values()].reduce((sum, { waiters }) => sum + waiters.size, 0);
    if (open >= maxWaiters) throw new ServiceError('dependency_unavailable', 'Too many requests wait for events.');
    const waiter: EventWaiter = {
      next: (after, milliseconds) => this.wait(waiter, log, after, milliseconds),
      onKeyChange: () => undefined,
      close: () => this.leave(accountID, log, waiter),
    };
    log.waiters.add(waiter);
    this.logs.set(accountID, log);
    this.looking ??= this.clock.every(lookMs, () => void this.look());
    return waiter;
  }

  private async wait(waiter: EventWaiter, log: WatchedLog, after: number, milliseconds: number): Promise<void> {
    if (log.last > after || this.isClosing || !log.waiters.has(waiter)) return;
    const woken = new AbortController();
    this.wakers.set(waiter, () => woken.abort());
    await this.clock.pause(milliseconds, woken.signal);
    this.wakers.delete(waiter);
  }

  private leave(accountID: string, log: WatchedLog, waiter: EventWaiter): void {
    log.waiters.delete(waiter);
    this.wakers.get(waiter)?.();
    if (log.waiters.size === 0 && this.logs.get(accountID) === log) this.logs.delete(accountID);
    if (this.logs.size > 0) return;
    this.looking?.cancel();
    this.looking = undefined;
  }

  private raise(accountID: string, last: number): void {
    const log = this.logs.get(accountID);
    if (!log || log.last >= last) return;
    log.last = last;
    for (const waiter of log.waiters) this.wakers.get(waiter)?.();
  }

  /** null: of any account. */
  private noteKeyChange(accountID: string | null): void {
    const logs = accountID === null ? [...this.logs.values()] : [this.logs.get(accountID)];
    for (const waiter of logs.flatMap(log => [...(log?.waiters ?? [])])) {
      waiter.onKeyChange();
      this.wakers.get(waiter)?.();
    }
  }

  private async look(): Promise<void> {
    try {
      const ends = await this.repository.readEnds([...this.logs.keys()]);
      for (const [accountID, { last }] of ends) this.raise(accountID, last);
    } catch (error) {
      this.logger.warn(`the ends of event logs are not known now: ${messageOf(error)}`);
    }
  }
}
