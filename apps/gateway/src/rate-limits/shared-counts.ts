import type { Clock, Timer } from '@rtms/clock';
import { LRUCache } from 'lru-cache';

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

/** Who comes with more addresses than this at once is forgotten in parts. */
const maxSubjects = 100_000;

/**
 * Counts requests in memory and tells them to the shared truth a few times a second, all subjects in one statement:
 * no request waits for it. So a limit is exceeded by what arrives in between at most. While the truth cannot be
 * reached, each replica goes on with what it knows.
 */
export class SharedCounts {
  private readonly entries = new LRUCache<string, Entry>({ max: maxSubjects });
  private readonly dirty = new Map<string, Entry>();
  private timer: Timer | undefined;
  private flushing: Promise<void> | undefined;
  private isClosed = false;

  constructor(
    private readonly clock: Clock,
    private readonly addShared: AddShared,
    private readonly pauseMs: number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** How often it was taken in this window, this time included; false: the quota is used up, and nothing is counted. */
  take(subject: string, windowStart: number, quota: number): number | false {
    const entry = this.entryOf(subject, windowStart);
    const used = entry.shared + entry.underWay + entry.pending;
    if (used >= quota) return false;
    entry.pending += 1;
    this.dirty.set(subject, entry);
    this.schedule();
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

  private schedule(): void {
    if (this.timer || this.flushing || this.isClosed) return;
    this.timer = this.clock.after(this.pauseMs, () => this.startFlush());
  }

  private startFlush(): void {
    this.timer = undefined;
    this.flushing = this.flush().finally(() => {
      this.flushing = undefined;
      if (this.dirty.size > 0) this.schedule();
    });
  }

  private async flush(): Promise<void> {
    const sent = new Map(this.dirty);
    this.dirty.clear();
    for (const entry of sent.values()) [entry.underWay, entry.pending] = [entry.pending, 0];
    try {
      const additions = [...sent].map(([subject, { windowStart, underWay }]) =>
        toAddition(subject, windowStart, underWay),
      );
      for (const { subject, windowStart, count } of await this.addShared(additions)) {
        settle(sent.get(subject), windowStart, count);
      }
    } catch (error) {
      this.onFailure(error);
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
