import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { messageOf } from '@rtms/logging';
import type { Response } from 'express';
import { EventStream } from '../../platform/http/event-stream.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import type { AccountEvent } from './account-event.js';
import { cursorOf, invalidCursor, readCursor } from './event-cursor.js';
import { presentEvent } from './event-log.dto.js';
import { EventLogRepository, type EventFilter } from './event-log.repository.js';
import { EventWaitersService, type EventWaiter } from './event-waiters.service.js';

/** Between two looks of a waiting request whose filter the new events did not match. */
const restMs = 200;
/** Between two pages of a stream, so that events of one moment come together. */
const streamRestMs = 50;
/** Between two checks of the key of a stream. */
const checkMs = 15_000;
/** A reader may stop reading for this time. */
const slowMs = 30_000;
const streamedAtOnce = 100;
/** The reader of a stream connects again after this time. */
const retryMs = 2_000;

export interface EventPage {
  events: AccountEvent[];
  /** The sequence after which the next page begins. */
  next: number;
  hasMore: boolean;
}

/** A request for events. */
export interface EventRequest extends EventFilter {
  /** Throws when the key or the session of the request is no longer valid. */
  recheck: () => Promise<void>;
  /** End of the validity of the key; null: none. */
  expiresAt: Date | null;
}

/** Reads the event log of an account: as pages, and as a stream. */
@Injectable()
export class EventLogService {
  private readonly logger = new Logger(EventLogService.name);

  constructor(
    private readonly repository: EventLogRepository,
    private readonly waiters: EventWaitersService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Returns the sequence behind which a reader begins. Throws BAD_REQUEST, `invalid_cursor`, for a position of another account or
   * in the future, and GONE, `cursor_expired`, if retention has removed an event behind the position.
   */
  async startOf(accountID: string, after: string | undefined): Promise<number> {
    const { last, firstKept } = await this.repository.endsOf(accountID);
    if (after === undefined) return firstKept - 1;
    if (after === 'latest') return last;
    const sequence = readCursor(accountID, after);
    if (sequence > last) throw invalidCursor('after is in the future of this account’s log.');
    if (sequence + 1 < firstKept) throw expiredCursor();
    return sequence;
  }

  /** Returns the next matching events. Throws GONE, `cursor_expired`. */
  async read(filter: EventFilter, after: number, pageSize: number): Promise<EventPage> {
    const { events, until, last, firstKept } = await this.repository.read(filter, after, pageSize + 1);
    if (after + 1 < firstKept) throw expiredCursor();
    if (events.length > pageSize) {
      const page = events.slice(0, pageSize);
      return { events: page, next: page.at(-1)?.sequence ?? after, hasMore: true };
    }
    const next = Math.max(until, after);
    return { events, next, hasMore: next < last };
  }

  /** Waits until a page has an event, at most for the given time. */
  async poll(
    request: EventRequest,
    { after, pageSize, waitMs, gone }: { after: number; pageSize: number; waitMs: number; gone: AbortSignal },
  ): Promise<EventPage> {
    const end = this.clock.now() + waitMs;
    let page = await this.read(request, after, pageSize);
    if (waitMs === 0 || isWorthAnswering(page)) return page;
    const waiter = this.waiters.open(request.accountID);
    gone.addEventListener('abort', () => waiter.close());
    try {
      page = await this.read(request, page.next, pageSize);
      while (!isWorthAnswering(page) && this.clock.now() < end && !gone.aborted && !this.waiters.isClosing) {
        await waiter.next(page.next, end - this.clock.now());
        const { next } = page;
        page = await this.read(request, next, pageSize);
        if (page.next > next && !isWorthAnswering(page)) await this.clock.pause(restMs, gone);
      }
      await request.recheck();
      return page;
    } finally {
      waiter.close();
    }
  }

  /** Streams events until the reader leaves, the key ends or the gateway stops. */
  async stream(request: EventRequest, after: number, response: Response): Promise<EventPage> {
    const waiter = this.waiters.open(request.accountID);
    const stream = new EventStream(response, this.clock);
    stream.signal.addEventListener('abort', () => waiter.close());
    stream.retryAfter(retryMs);
    let next = after;
    try {
      next = await this.follow(request, { after, stream, waiter });
    } catch (error) {
      // The status is sent already. The reader connects again and gets the failure as an answer.
      if (!(error instanceof ServiceError)) this.logger.warn(`a stream of events ends: ${messageOf(error)}`);
    } finally {
      waiter.close();
      stream.end();
    }
    return { events: [], next, hasMore: false };
  }

  private async follow(
    request: EventRequest,
    { after, stream, waiter }: { after: number; stream: EventStream; waiter: EventWaiter },
  ): Promise<number> {
    const { accountID, expiresAt } = request;
    let next = after;
    let told = after;
    let checkAt = this.nextCheck(expiresAt);
    waiter.onKeyChange = () => {
      checkAt = 0;
    };
    while (!stream.signal.aborted && !this.waiters.isClosing) {
      if (this.clock.now() >= checkAt) {
        checkAt = this.nextCheck(expiresAt);
        await request.recheck();
      }
      const page = await this.read(request, next, streamedAtOnce);
      for (const event of page.events) {
        const id = cursorOf(accountID, event.sequence);
        stream.send({ id, event: event.type, data: JSON.stringify(presentEvent(event)) });
        told = event.sequence;
      }
      next = page.next;
      await stream.drained(this.clock, slowMs);
      if (page.hasMore) continue;
      if (page.events.length > 0) await this.clock.pause(streamRestMs, stream.signal);
      await waiter.next(next, Math.max(0, checkAt - this.clock.now()));
      // A reader of rare events keeps a fresh cursor.
      if (this.clock.now() >= checkAt && next > told) {
        stream.send({ id: cursorOf(accountID, next) });
        told = next;
      }
    }
    return next;
  }

  private nextCheck(expiresAt: Date | null): number {
    const now = this.clock.now();
    const end = expiresAt?.getTime() ?? Infinity;
    return end > now ? Math.min(now + checkMs, end) : now + checkMs;
  }
}

function isWorthAnswering({ events, hasMore }: EventPage): boolean {
  return events.length > 0 || hasMore;
}

function expiredCursor(): ServiceError {
  return new ServiceError('cursor_expired');
}
