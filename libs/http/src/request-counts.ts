import type { Clock, Timer } from '@rtms/clock';
import { LRUCache } from 'lru-cache';

/** GET and its kin change nothing: they are counted apart from all others. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** Windows stand still: all replicas begin them at the same times of the clock. */
export function windowStart(nowMs: number, windowSeconds: number): number {
  return Math.floor(nowMs / 1000 / windowSeconds) * windowSeconds;
}

/** Whole seconds until the window is over, at least 1. */
export function secondsLeft(nowMs: number, windowSeconds: number): number {
  return Math.max(1, Math.ceil(windowStart(nowMs, windowSeconds) + windowSeconds - nowMs / 1000));
}

/** What one replica adds to a subject's count in a window. */
export interface Addition {
  subject: string;
  windowStart: number;
  count: number;
}

/** Adds and answers what all replicas have counted together. */
export type AddShared = (additions: readonly Addition[]) => Promise<readonly Addition[]>;

interface Entry {
  windowStart: number;
  /** What all replicas had counted when this one last asked. */
  shared: number;
  /** Counted here and not told yet; on its way. */
  pending: number;
  underWay: number;
}

/** How replicas share their counts. */
export interface Sharing {
  add: AddShared;
  /** ms between two calls of `add`. */
  pauseMs: number;
  onFailure: (error: unknown) => void;
}

/** 100,000 subjects take about 10 MB. The subject that was quiet for longest is forgotten first. */
const maxSubjects = 100_000;

/**
 * Counts requests in memory, within windows of time. With `sharing`, the counts go to the shared truth a few times a
 * second, all subjects in one statement: no request waits for it. So a limit is exceeded by what arrives in between at
 * most. While the truth cannot be reached, each replica goes on with what it knows.
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

  /** How often it was taken in this window, this time included; false: the quota is used up, and nothing is counted. */
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
    // What was not answered still counts here.
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
