import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { messageOf } from '@rtms/logging';
import { DataSource, type EntityManager } from 'typeorm';
import { newID } from '../../platform/database/new-id.js';
import { RepeatingTask } from '../../platform/jobs/repeating-task.js';
import { DomainEvents } from '../../platform/runtime/domain-events.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import type { AccountEvent } from '../log/account-event.js';
import { typesOf } from '../log/event-log.dto.js';
import { EventLogRepository } from '../log/event-log.repository.js';
import { cursorsAtOnce, WebhookCursorsRepository, type WaitingCursor } from './webhook-cursors.repository.js';
import { maxPending, WebhookQueueRepository, type NewDelivery } from './webhook-queue.repository.js';

const lookMs = 1_000;
const eventsAtOnce = 500;
const cursorsBeside = 4;

declare module '../../platform/runtime/domain-events.js' {
  interface DomainEventMap {
    /** Comes after the commit of deliveries that are due, on the gateway that added them. */
    'webhooks.due': [];
  }
}

/** Makes deliveries of new events. Each webhook has a cursor in the event log, so that no event is lost when a gateway dies. */
@Injectable()
export class WebhookPlannerService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(WebhookPlannerService.name);
  private readonly task = new RepeatingTask(this.clock, WebhookPlannerService.name, lookMs, () => this.run());
  private readonly closing = new AbortController();

  constructor(
    private readonly database: DataSource,
    private readonly log: EventLogRepository,
    private readonly cursors: WebhookCursorsRepository,
    private readonly queue: WebhookQueueRepository,
    private readonly domainEvents: DomainEvents,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The gateway that numbered the events makes the deliveries at once. The others look regularly. */
  onApplicationBootstrap(): void {
    this.domainEvents.on('events.appended', (_, origin) => {
      if (origin === 'here') this.trigger();
    });
    this.trigger();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing.abort();
    await this.task.close();
  }

  trigger(): void {
    this.task.trigger();
  }

  /** One portion of each cursor, then the next, so that a long backlog of one webhook delays no other. */
  private async run(): Promise<void> {
    let after = '0';
    let hasMore = true;
    while (hasMore && !this.closing.signal.aborted) {
      const cursors = await this.cursors.listWaiting(after);
      const lines = Array.from({ length: cursorsBeside }, (_, line) =>
        cursors.filter((_each, n) => n % cursorsBeside === line),
      );
      const progress = await Promise.all(lines.map(line => this.planEach(line)));
      const isLast = cursors.length < cursorsAtOnce;
      hasMore = !isLast || after !== '0' || progress.includes(true);
      after = isLast ? '0' : (cursors.at(-1)?.id ?? '0');
    }
  }

  private async planEach(cursors: readonly WaitingCursor[]): Promise<boolean> {
    let hasMoved = false;
    for (const cursor of cursors) {
      if (this.closing.signal.aborted) return false;
      hasMoved = (await this.tryPlan(cursor)) || hasMoved;
    }
    if (hasMoved) this.domainEvents.emit('webhooks.due');
    return hasMoved;
  }

  /** A cursor that fails delays no other. The next look tries it again. */
  private async tryPlan(cursor: WaitingCursor): Promise<boolean> {
    try {
      return await this.plan(cursor);
    } catch (error) {
      const { webhookID } = cursor;
      this.logger.warn({ webhookID }, `deliveries of a webhook cannot be made: ${messageOf(error)}`);
      return false;
    }
  }

  /** Reads events before the transaction: they never change. Returns false if another gateway moved the cursor. */
  private async plan(cursor: WaitingCursor): Promise<boolean> {
    const { accountID, keyType, sequence, until } = cursor;
    // During an update, a newer gateway may have stored types that this one does not know.
    const types = cursor.eventTypes.length === 0 ? null : typesOf(cursor.eventTypes);
    const filter = { accountID, environments: [keyType], types, meetingID: null };
    const read = await this.log.read(filter, sequence, eventsAtOnce);
    const end = until ?? Infinity;
    const events = read.events.filter(event => event.sequence <= end);
    // Retention may have removed the events behind the cursor.
    const seen = read.events.length < eventsAtOnce ? Math.max(read.until, sequence) : sequence;
    return this.database.transaction(manager => this.move(manager, cursor, { events, seen: Math.min(seen, end) }));
  }

  private async move(manager: EntityManager, cursor: WaitingCursor, portion: Portion): Promise<boolean> {
    const { webhookID, accountID, sequence, until } = cursor;
    const queue = await this.queue.lock(manager, webhookID);
    const { events, next } = fitting(portion, maxPending - (queue?.pending ?? maxPending), sequence);
    if (next <= sequence || !(await this.cursors.move(manager, cursor, next))) return false;
    const cause = until === null ? 'event' : 'replay';
    const at = new Date(this.clock.now());
    const deliveries = events.map(event => ({ ...deliveryOf(event), cause }) satisfies NewDelivery);
    await this.queue.add(manager, { webhookID, accountID, at }, deliveries);
    return true;
  }
}

/** Events behind a cursor. */
interface Portion {
  events: readonly AccountEvent[];
  /** There is no other matching event up to this sequence. */
  seen: number;
}

/** Returns the events for which the queue has places, and the next position of the cursor. */
function fitting(
  { events, seen }: Portion,
  places: number,
  sequence: number,
): { events: readonly AccountEvent[]; next: number } {
  if (places >= events.length && places > 0)
    return { events, next: Math.max(seen, events.at(-1)?.sequence ?? sequence) };
  const some = events.slice(0, Math.max(0, places));
  return { events: some, next: some.at(-1)?.sequence ?? sequence };
}

function deliveryOf({ eventID, sequence, type, createdAt, accountID, resource, data }: AccountEvent) {
  return {
    id: newID('dlv'),
    ...{ eventID, sequence, type },
    lane: `${resource.kind}/${resource.id}`,
    body: bodyOf({ id: eventID, type, createdAt, accountID, data }),
  };
}

interface WebhookBody {
  id: string;
  type: string;
  /** RFC 3339, UTC, milliseconds. */
  createdAt: string;
  accountID: string;
  data: object;
}

export function bodyOf({ id, type, createdAt, accountID, data }: WebhookBody): string {
  return JSON.stringify({ id, type, createdAt, accountID, data });
}
