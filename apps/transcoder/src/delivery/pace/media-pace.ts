import type { Clock } from '@rtms/clock';
import { AwakeClock } from './awake-clock.js';

/** ms of trouble that reaches all players of a broadcast; 0: none. */
export interface PaceTroubles {
  /** The source sent no media, so players received a slate or nothing. */
  lostMs: number;
  /** The platform opened the source anew, e.g. on another node, or lost the node of the source. */
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
/** The source sends media if its last picture came less than this ago. */
const presentMs = 1_000;
/** Packets are counted for the current time of this length and for the one before. */
const countedMs = 10_000;
/** Fewer packets say nothing about a network. */
const leastPackets = 50;

interface PacketCount {
  beganAt: number;
  received: number;
  lost: number;
}

/** Whether the segments of a broadcast come in time, and who is at fault if not. */
export class MediaPace {
  private readonly awake: AwakeClock;
  private listedAt: number | undefined;
  /** By the awake clock. */
  private pictureAt: number | undefined;
  /** The node of the silent source is lost. */
  private isNodeLost = false;
  /** ms of silences that ended since the last segment. */
  private silentMs = 0;
  private loss: Loss | undefined;
  private readonly past = new Map<keyof PaceTroubles, { ms: number; endedAt: number }>();
  private packets: PacketCount = { beganAt: 0, received: 0, lost: 0 };
  private formerPackets = this.packets;

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly targetMs: number,
  ) {
    this.awake = new AwakeClock(clock);
  }

  /** Call it every second. Otherwise a silence may be one of this process. */
  tick(): void {
    this.awake.tick();
  }

  /** The source has sent a picture. */
  notePicture(): void {
    this.noteSilence(this.presentSilenceMs);
    this.pictureAt = this.awake.now();
    this.isNodeLost = false;
  }

  /** Segments waited for a source of a composition. */
  noteSilence(ms: number): void {
    this.silentMs += ms;
  }

  /** A packet of the source's video has come, and `lostBefore` packets before it have not. */
  notePacket(lostBefore: number): void {
    const now = this.clock.now();
    if (now - this.packets.beganAt >= countedMs) {
      this.formerPackets = this.packets;
      this.packets = { beganAt: now, received: 0, lost: 0 };
    }
    this.packets.received += 1;
    this.packets.lost += lostBefore;
  }

  /** Share of the source's packets that did not come in the last ten to twenty seconds, 0 to 1. */
  get lostShare(): number {
    const counts = [this.formerPackets, this.packets].filter(
      ({ beganAt }) => this.clock.now() - beganAt < 2 * countedMs,
    );
    const sum = (key: 'received' | 'lost'): number => counts.reduce((total, count) => total + count[key], 0);
    const sent = sum('received') + sum('lost');
    return sent < leastPackets ? 0 : sum('lost') / sent;
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
    const name = isMoved ? 'movedMs' : this.silenceName;
    this.loss ??= { name, beganAt, slateSegments: undefined, endedAt: undefined };
  }

  /** The node of the source is lost, so a silence is none of its publisher. Media workers of a frozen node may still send. */
  loseNode(): void {
    if (this.pictureAt !== undefined && this.awake.now() - this.pictureAt < presentMs) return;
    this.isNodeLost = true;
    const { loss, past } = this;
    if (loss?.name !== 'lostMs') return;
    loss.name = 'movedMs';
    const ended = past.get('lostMs');
    if (loss.endedAt === undefined || !ended) return;
    past.delete('lostMs');
    past.set('movedMs', ended);
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
    return isNode ? { name: 'lateMs', ms: ms - silentMs } : { name: this.silenceName, ms: silentMs };
  }

  private get silenceName(): 'movedMs' | 'lostMs' {
    return this.isNodeLost ? 'movedMs' : 'lostMs';
  }

  private get presentSilenceMs(): number {
    const ms = this.pictureAt === undefined ? 0 : this.awake.now() - this.pictureAt;
    return ms >= silenceMs ? ms : 0;
  }
}
