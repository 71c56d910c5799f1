import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { messageOf } from '@rtms/logging';
import { DataSource, type EntityManager } from 'typeorm';
import { newID } from '../../platform/database/new-id.js';
import { RepeatingTask } from '../../platform/jobs/repeating-task.js';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import type { AccountEvent } from './account-event.js';
import { AppendedEventsService } from './appended-events.service.js';
import { decideEvents, withoutPassingCounts, type DecidedEvent } from './decide-events.js';
import { accountsAtOnce, rowsPerAccount, SequencerRepository, type OutboxRow } from './sequencer.repository.js';

const pauseMs = 1_000;
/** Changes of one moment come together, and a long backlog leaves CPU and connections to requests. */
const restMs = 20;

/** An event before it has its number. */
interface UnnumberedEvent extends DecidedEvent {
  row: OutboxRow;
}

/**
 * Moves the changes of the outbox to the event logs of their accounts and numbers them, on one gateway at a time. A portion is one
 * transaction: a gateway that stops at any moment leaves either all of it or nothing.
 */
@Injectable()
export class EventSequencerService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(EventSequencerService.name);
  private readonly task = new RepeatingTask(this.clock, EventSequencerService.name, pauseMs, () => this.run());
  /** The account at the end of the last portion: the next portion begins after it. */
  private served = '';
  private readonly closing = new AbortController();

  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: SequencerRepository,
    private readonly domainEvents: DomainEvents,
    private readonly announcements: AppendedEventsService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.domainEvents.on('resources.changed', () => this.task.trigger());
    this.task.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing.abort();
    await this.task.close();
  }

  /** Moves all present changes. Does nothing while another gateway does it. */
  async run(): Promise<void> {
    let hasMore = true;
    while (hasMore && !this.closing.signal.aborted) {
      hasMore = await this.movePortion();
      await this.clock.pause(restMs, this.closing.signal);
    }
  }

  /** The seconds for which the oldest change has waited. */
  async oldestAgeSeconds(): Promise<number> {
    const at = await this.repository.readOldest(this.dataSource.manager);
    return at ? Math.max(0, (this.clock.now() - at.getTime()) / 1000) : 0;
  }

  /** Returns whether changes may be left. */
  private async movePortion(): Promise<boolean> {
    const { events, hasMore } = await this.dataSource.transaction(manager => this.moveIn(manager));
    const last = new Map(events.map(({ accountID, sequence }) => [accountID, sequence]));
    if (last.size > 0) {
      const appended = [...last].map(([accountID, lastSequence]) => ({ accountID, lastSequence }));
      this.announcements.announce(appended);
    }
    return hasMore;
  }

  private async moveIn(manager: EntityManager): Promise<{ events: AccountEvent[]; hasMore: boolean }> {
    const { repository } = this;
    if (!(await repository.lock(manager))) return { events: [], hasMore: false };
    const began = this.served;
    const accounts = await repository.listWaitingAccounts(manager, this.served);
    const isLast = accounts.length < accountsAtOnce;
    this.served = isLast ? '' : (accounts.at(-1)?.accountID ?? '');
    if (accounts.length === 0) return { events: [], hasMore: began !== '' };
    const removed = accounts.filter(({ exists }) => !exists).map(({ accountID }) => accountID);
    if (removed.length > 0) await repository.drop(manager, removed);
    const living = accounts.filter(({ exists }) => exists).map(({ accountID }) => accountID);
    const { events, isFull } = await this.moveRows(manager, living);
    return { events, hasMore: isFull || !isLast || began !== '' || removed.length > 0 };
  }

  /** `isFull`: an account has as many rows as a portion allows, so it may have more. */
  private async moveRows(
    manager: EntityManager,
    accountIDs: readonly string[],
  ): Promise<{ events: AccountEvent[]; isFull: boolean }> {
    if (accountIDs.length === 0) return { events: [], isFull: false };
    const rows = await this.repository.readRows(manager, accountIDs);
    const events = await this.number(manager, rows);
    if (events.length > 0) await this.repository.append(manager, events);
    if (rows.length > 0) await this.repository.deleteRows(manager, rows);
    const counts = countOf(rows.map(({ accountID }) => accountID));
    return { events, isFull: [...counts.values()].some(count => count >= rowsPerAccount(accountIDs.length)) };
  }

  /** A row that the code cannot read must not hold back all others. */
  private decide(row: OutboxRow): UnnumberedEvent[] {
    try {
      return decideEvents(row).map(event => ({ ...event, row }));
    } catch (error) {
      this.logger.error({ kind: row.kind, resourceID: row.resourceID }, `a change is no event: ${messageOf(error)}`);
      return [];
    }
  }

  private async number(manager: EntityManager, rows: readonly OutboxRow[]): Promise<AccountEvent[]> {
    const decided = rows.flatMap(row => this.decide(row));
    const ofRooms = decided.flatMap(each => (each.environment === 'ofRoom' ? (each.meetingID ?? []) : []));
    const environments = await this.repository.readEnvironments(manager, [...new Set(ofRooms)]);
    // Retention has removed the room: nobody can reach its resources any more.
    const reachable = withoutPassingCounts(decided).filter(
      ({ environment, meetingID }) => environment !== 'ofRoom' || environments.has(meetingID ?? ''),
    );
    if (reachable.length === 0) return [];
    const counts = countOf(reachable.map(({ row }) => row.accountID));
    const used = await this.repository.reserve(manager, counts);
    return reachable.map(event => {
      const sequence = (used.get(event.row.accountID) ?? 0) + 1;
      used.set(event.row.accountID, sequence);
      return toAccountEvent(event, sequence, environments.get(event.meetingID ?? '') ?? null);
    });
  }
}

function countOf(accountIDs: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const accountID of accountIDs) counts.set(accountID, (counts.get(accountID) ?? 0) + 1);
  return counts;
}

function toAccountEvent(event: UnnumberedEvent, sequence: number, ofRoom: AccountEvent['keyType']): AccountEvent {
  const { type, resource, meetingID, environment, data, row } = event;
  return {
    eventID: newID('evt'),
    accountID: row.accountID,
    ...{ sequence, type, resource, meetingID, data },
    createdAt: row.at.toISOString(),
    keyType: environment === 'ofRoom' ? ofRoom : environment,
    requestID: row.requestID,
  };
}
