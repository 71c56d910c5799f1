import type { Clock } from '@rtms/clock';

/** Counts the changes of playlists, and calls listeners after each of them. */
export class Changes {
  private readonly listeners = new Set<() => void>();
  private counted = 0;

  get count(): number {
    return this.counted;
  }

  add(): void {
    this.counted += 1;
    this.notify();
  }

  /** For an event that no playlist has. */
  notify(): void {
    for (const listener of [...this.listeners]) listener();
  }

  /** Returns a function that ends the calls. */
  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

/** Troubles of a broadcast that all its players see, in ms; 0: none. */
export interface PaceTroubles {
  /** The source sent no media, and players received a slate or nothing. */
  lostMs: number;
  /** A segment came later than its length allows, while the source was present. */
  lateMs: number;
}

/** Whether the segments of a broadcast come in time. */
export class MediaPace {
  private listedAt: number | undefined;
  private lostAt: number | undefined;
  private lastLoss = { ms: 0, endedAt: -Infinity };
  private lastDelay = { ms: 0, endedAt: -Infinity };

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly targetMs: number,
  ) {}

  noteSegment(): void {
    const endedAt = this.clock.now();
    const ms = this.delayMs;
    if (ms > 0) this.lastDelay = { ms, endedAt };
    this.listedAt = endedAt;
  }

  /** `silentMs`: time since the last frame of the source. */
  loseSource(silentMs = 0): void {
    this.lostAt ??= this.clock.now() - silentMs;
  }

  regainSource(): void {
    if (this.lostAt === undefined) return;
    const endedAt = this.clock.now();
    this.lastLoss = { ms: endedAt - this.lostAt, endedAt };
    this.lostAt = undefined;
    this.listedAt = endedAt;
  }

  /** The troubles that last, or ended in the last `periodMs`. */
  troubles(periodMs: number): PaceTroubles {
    const since = this.clock.now() - periodMs;
    const endedMs = ({ ms, endedAt }: { ms: number; endedAt: number }) => (endedAt >= since ? ms : 0);
    const lostMs = this.lostAt === undefined ? endedMs(this.lastLoss) : this.clock.now() - this.lostAt;
    return { lostMs, lateMs: this.delayMs || endedMs(this.lastDelay) };
  }

  /** Players have at least two segments ahead, so a delay of less than one harms none. */
  private get delayMs(): number {
    if (this.listedAt === undefined || this.lostAt !== undefined) return 0;
    const ms = this.clock.now() - this.listedAt - this.targetMs;
    return ms >= this.targetMs ? ms : 0;
  }
}
