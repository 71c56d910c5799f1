import type { Clock } from '@rtms/clock';

/** ms of trouble that reaches all players of a broadcast; 0: none. */
export interface PaceTroubles {
  /** The source sent no media, so players received a slate or nothing. */
  lostMs: number;
  /** The platform opened the source anew, e.g. on another node. */
  movedMs: number;
  /** A segment came later than its length and the silence of the source allow. */
  lateMs: number;
}

interface Trouble {
  name: keyof PaceTroubles;
  ms: number;
}

interface Loss {
  name: 'lostMs' | 'movedMs';
  beganAt: number;
  /** undefined: the slate has not begun. */
  slateSegments: number | undefined;
  /** From this time on, segments of the slate must come in time. undefined: the loss explains that players stall. */
  endedAt: number | undefined;
}

/** A longer time between two pictures is a silence of the source. */
const silenceMs = 2_000;
/** A loss explains the stalls of players until the slate has so many segments. */
const slateSegments = 2;

/** Whether the segments of a broadcast come in time, and who is at fault if not. */
export class MediaPace {
  private listedAt: number | undefined;
  private pictureAt: number | undefined;
  /** ms of silences that ended since the last segment. */
  private silentMs = 0;
  private loss: Loss | undefined;
  private readonly past = new Map<keyof PaceTroubles, { ms: number; endedAt: number }>();

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly targetMs: number,
  ) {}

  /** The source has sent a picture. */
  notePicture(): void {
    this.silentMs += this.presentSilenceMs;
    this.pictureAt = this.clock.now();
  }

  /** Players can fetch another segment. */
  noteSegment(): void {
    const { loss } = this;
    if (!this.isExcused) this.end(this.delay);
    this.listedAt = this.clock.now();
    this.silentMs = 0;
    if (loss?.slateSegments !== undefined && ++loss.slateSegments === slateSegments) this.endExcuse(loss);
  }

  /** `silentMs`: time since the last picture. `isMoved`: the platform closes the feed of a source that sends media. */
  loseSource(silentMs = 0, isMoved = false): void {
    const beganAt = this.clock.now() - (isMoved ? 0 : silentMs);
    const name = isMoved ? 'movedMs' : 'lostMs';
    this.loss ??= { name, beganAt, slateSegments: undefined, endedAt: undefined };
  }

  /** The next segments are those of the slate. */
  beginSlate(): void {
    if (this.loss) this.loss.slateSegments ??= 0;
  }

  regainSource(): void {
    const { loss } = this;
    if (!loss) return;
    if (!this.isExcused) this.end(this.delay);
    this.endExcuse(loss);
    this.loss = undefined;
    this.listedAt = this.clock.now();
    this.silentMs = 0;
  }

  /** The troubles that last, or ended in the last `periodMs`. */
  troubles(periodMs: number): PaceTroubles {
    const since = this.clock.now() - periodMs;
    const troubles: PaceTroubles = { lostMs: 0, movedMs: 0, lateMs: 0 };
    for (const [name, { ms, endedAt }] of this.past) if (endedAt >= since) troubles[name] = ms;
    const present = this.isExcused && this.loss ? this.lossSoFar(this.loss) : this.delay;
    if (present) troubles[present.name] = present.ms;
    return troubles;
  }

  /** A loss explains that no segment comes. */
  private get isExcused(): boolean {
    return this.loss !== undefined && this.loss.endedAt === undefined;
  }

  private endExcuse(loss: Loss): void {
    if (loss.endedAt !== undefined) return;
    this.end(this.lossSoFar(loss));
    loss.endedAt = this.clock.now();
  }

  private lossSoFar({ name, beganAt }: Loss): Trouble {
    return { name, ms: this.clock.now() - beganAt };
  }

  private end(trouble: Trouble | undefined): void {
    if (trouble) this.past.set(trouble.name, { ms: trouble.ms, endedAt: this.clock.now() });
  }

  /** Players have at least two segments ahead, so a delay of less than one harms none. */
  private get delay(): Trouble | undefined {
    if (this.listedAt === undefined) return undefined;
    const ms = this.clock.now() - Math.max(this.listedAt, this.loss?.endedAt ?? 0) - this.targetMs;
    if (ms < this.targetMs) return undefined;
    // A slate needs no source.
    const silentMs = this.loss ? 0 : this.silentMs + this.presentSilenceMs;
    const isNode = ms - silentMs >= this.targetMs;
    return isNode ? { name: 'lateMs', ms: ms - silentMs } : { name: 'lostMs', ms: silentMs };
  }

  private get presentSilenceMs(): number {
    const ms = this.pictureAt === undefined ? 0 : this.clock.now() - this.pictureAt;
    return ms >= silenceMs ? ms : 0;
  }
}
