import type { Clock, Timer } from '@rtms/clock';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '@rtms/contracts';
import type { RequestHandler } from 'express';
import { clientOf } from './addresses/client-address.js';

/** Reads and writes have separate limits. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** Returns the start of the current window, seconds since 1970. All replicas use the same windows. */
export function windowStart(nowMs: number, windowSeconds: number): number {
  return Math.floor(nowMs / 1000 / windowSeconds) * windowSeconds;
}

/** Returns the whole seconds until the window ends, at least 1. */
export function secondsLeft(nowMs: number, windowSeconds: number): number {
  return Math.max(1, Math.ceil(windowStart(nowMs, windowSeconds) + windowSeconds - nowMs / 1000));
}

/** Requests that one replica adds to the count of a subject in a window. */
export interface Addition {
  subject: string;
  windowStart: number;
  count: number;
}

/** Adds the counts and returns the totals of all replicas. */
export type AddShared = (additions: readonly Addition[]) => Promise<readonly Addition[]>;

interface Entry {
  windowStart: number;
  /** Total of all replicas at the last flush. */
  shared: number;
  /** Counted here since the last flush, and sent in the flush in progress. */
  pending: number;
  underWay: number;
}

/** Synchronises the counts of all replicas. */
export interface Sharing {
  add: AddShared;
  /** ms between two calls of `add`. */
  pauseMs: number;
  onFailure: (error: unknown) => void;
}

/** 100,000 subjects take about 10 MB. The least recently used subject is evicted first. */
const maxSubjects = 100_000;

/**
 * Counts requests per subject and time window in memory. With `sharing`, a flush adds the counts of all subjects to the shared
 * store in one statement, a few times per second. No request waits for a flush, so a limit can be exceeded by the requests
 * between two flushes. If the store is unavailable, each replica continues with its last totals.
 */
export class RequestCounts {
  private readonly entries = new LRUCache<string, Entry>({ max: maxSubjects });
  private readonly dirty = new Map<string, Entry>();
  private timer: Timer | undefined;
  private flushing: Promise<void> | undefined;
  private isClosed = false;

  constructor(
    private readonly clock: Clock,
    private readonly sharing?: Sharing,
  ) {}

  /** Counts one request and returns the new count of the window. Returns false, and counts nothing, at the quota. */
  take(subject: string, windowStart: number, quota: number): number | false {
    const entry = this.entryOf(subject, windowStart);
    const used = entry.shared + entry.underWay + entry.pending;
    if (used >= quota) return false;
    entry.pending += 1;
    if (this.sharing) {
      this.dirty.set(subject, entry);
      this.schedule(this.sharing);
    }
    return used + 1;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.timer?.cancel();
    await this.flushing;
  }

  private entryOf(subject: string, windowStart: number): Entry {
    const known = this.entries.get(subject);
    if (known?.windowStart === windowStart) return known;
    const entry = { windowStart, shared: 0, pending: 0, underWay: 0 };
    this.entries.set(subject, entry);
    return entry;
  }

  private schedule(sharing: Sharing): void {
    if (this.timer || this.flushing || this.isClosed) return;
    this.timer = this.clock.after(sharing.pauseMs, () => this.startFlush(sharing));
  }

  private startFlush(sharing: Sharing): void {
    this.timer = undefined;
    this.flushing = this.flush(sharing).finally(() => {
      this.flushing = undefined;
      if (this.dirty.size > 0) this.schedule(sharing);
    });
  }

  private async flush({ add, onFailure }: Sharing): Promise<void> {
    const sent = new Map(this.dirty);
    this.dirty.clear();
    for (const entry of sent.values()) [entry.underWay, entry.pending] = [entry.pending, 0];
    try {
      const additions = [...sent].map(([subject, { windowStart, underWay }]) =>
        toAddition(subject, windowStart, underWay),
      );
      for (const { subject, windowStart, count } of await add(additions)) {
        settle(sent.get(subject), windowStart, count);
      }
    } catch (error) {
      onFailure(error);
    }
    // Counts without a reply remain in the local total.
    for (const entry of sent.values()) [entry.shared, entry.underWay] = [entry.shared + entry.underWay, 0];
  }
}

function toAddition(subject: string, windowStart: number, count: number): Addition {
  return { subject, windowStart, count };
}

function settle(entry: Entry | undefined, windowStart: number, count: number): void {
  if (entry?.windowStart !== windowStart) return;
  entry.shared = count;
  entry.underWay = 0;
}

export interface AddressLimits {
  windowSeconds: number;
  /** Requests of one client (`clientOf`) in a window; 0: unlimited. */
  addressReads: number;
  addressWrites: number;
}

/** Counts requests of client addresses in the memory of this process, because media nodes share no database. */
export class AddressCounts {
  private readonly counts: RequestCounts;

  constructor(
    private readonly limits: AddressLimits,
    private readonly clock: Clock,
  ) {
    this.counts = new RequestCounts(clock);
  }

  /** Counts one request. Returns false, and counts nothing, above the limit. */
  take(method: string, address: string | undefined): boolean {
    const { windowSeconds, addressReads, addressWrites } = this.limits;
    const quota = isRead(method) ? addressReads : addressWrites;
    if (quota === 0) return true;
    const subject = `${isRead(method) ? 'r' : 'w'} ${clientOf(address)}`;
    return this.counts.take(subject, windowStart(this.clock.now(), windowSeconds), quota) !== false;
  }

  /** Answers requests above the limits with 429 `rate_limited` and `Retry-After`. */
  middleware(): RequestHandler {
    return ({ method, ip }, response, next) => {
      if (this.take(method, ip)) return next();
      const seconds = secondsLeft(this.clock.now(), this.limits.windowSeconds);
      response.setHeader('Retry-After', String(seconds));
      next(new ServiceError('rate_limited', `Too many requests. Try again in ${seconds} s.`));
    };
  }
}
