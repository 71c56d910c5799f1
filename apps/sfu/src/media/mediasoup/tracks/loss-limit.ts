import type { Clock, Timer } from '@rtms/clock';
import type { types } from 'mediasoup';

/** Congestion control of browsers sends less above this share of lost packets, too. */
const mostLoss = 0.1;

/** While packets are lost, their share is measured in steps of this time. */
const lookMs = 2_000;

const bestScore = 10;

/** Fewer packets say nothing about the network. */
const leastPackets = 10;

/** After this time without much loss, the next higher layer is tried. The time doubles while trials fail. */
const calmMs = { first: 15_000, longest: 240_000 };

/** Loss in this time after a higher layer arrived means that the trial has failed. */
const trialMs = 20_000;

/** Totals of a stream to a viewer. `lost`: as the viewer reports, before anything is sent again. */
export interface SentPackets {
  sent: number;
  lost: number;
}

export interface LossLimitParts {
  clock: Clock;
  /** The highest layer of the track. */
  top: number;
  count: () => Promise<SentPackets | undefined>;
  /** `highest` has another value. */
  onChange: () => void;
}

/**
 * Limits the simulcast layers of a viewer by the loss that it reports. The worker measures the bandwidth only of viewers that offer its own
 * numbers for header extensions, and Chromium offers others. On a clean network nothing is measured.
 */
export class LossLimit {
  private limit: number;
  private current: number | undefined;
  private base: SentPackets | undefined;
  private score = bestScore;
  private isLossy = false;
  /** A newer look replaces a former one that still waits for its totals. */
  private looks = 0;
  private isLooking = false;
  private triedAt = -Infinity;
  private waitMs = calmMs.first;
  private looking: Timer | undefined;
  private climbing: Timer | undefined;
  private isClosed = false;

  constructor(private readonly parts: LossLimitParts) {
    this.limit = parts.top;
  }

  /** The highest layer that the viewer should receive. */
  get highest(): number {
    return this.limit;
  }

  /** The viewer receives this layer from now on; undefined: none. */
  arrive(layer: number | undefined): void {
    const { current = -1 } = this;
    if (layer === this.current) return;
    if (current >= 0 && layer !== undefined && layer > current) this.triedAt = this.parts.clock.now();
    this.current = layer;
    this.base = undefined;
    this.isLossy = false;
    if (layer === undefined) return;
    // The next reports still tell the loss of a former, higher layer.
    if (layer < current) this.lookLater();
    else void this.look();
  }

  /**
   * The worker's score of the stream, 10 without loss. The score alone does not tell the loss: it takes each packet that was sent again for
   * received.
   */
  rate(score: number): void {
    this.score = score;
    if (score < bestScore && !this.isLooking) void this.look();
  }

  /** Safe to call twice. */
  close(): void {
    this.isClosed = true;
    this.looks++;
    this.looking?.cancel();
    this.climbing?.cancel();
  }

  private async look(): Promise<void> {
    if (this.isClosed) return;
    this.looking?.cancel();
    this.isLooking = true;
    const number = ++this.looks;
    const total = await this.parts.count().catch(() => undefined);
    if (number === this.looks) this.judge(total);
  }

  /** Looks again until no more packets are lost. A poor network also loses reports, so the score counts too. */
  private judge(total: SentPackets | undefined): void {
    const loss = total && this.lossUntil(total);
    const isOver = total === undefined || (loss === 0 && this.score >= bestScore);
    this.isLossy = (loss ?? 0) > mostLoss;
    this.isLooking = false;
    this.base = isOver ? undefined : total;
    if (!isOver) this.lookLater();
    if (this.isLossy) this.fall();
  }

  private lookLater(): void {
    if (this.isClosed) return;
    this.looks++;
    this.isLooking = true;
    this.looking?.cancel();
    this.looking = this.parts.clock.after(lookMs, () => void this.look());
  }

  /** The share of the packets since the last look; undefined: this is the first look. */
  private lossUntil(total: SentPackets): number | undefined {
    if (!this.base) return undefined;
    const sent = total.sent - this.base.sent;
    return sent < leastPackets ? 0 : Math.max(0, total.lost - this.base.lost) / sent;
  }

  private fall(): void {
    const { current } = this;
    // The layer of the last fall arrives with its next keyframe.
    const isWaiting = current === undefined || current > this.limit;
    if (isWaiting || current === 0) return;
    const hasFailed = this.parts.clock.now() - this.triedAt < trialMs;
    this.waitMs = hasFailed ? Math.min(this.waitMs * 2, calmMs.longest) : calmMs.first;
    this.limit = current - 1;
    this.climbLater();
    this.parts.onChange();
  }

  private climbLater(): void {
    this.climbing?.cancel();
    const isLimited = this.limit < this.parts.top;
    this.climbing = isLimited ? this.parts.clock.after(this.waitMs, () => this.climb()) : undefined;
  }

  private climb(): void {
    if (!this.isLossy) {
      this.limit += 1;
      this.parts.onChange();
    }
    this.climbLater();
  }
}

/** Whether the worker sends all that the viewer wants, because it cannot measure the bandwidth to it. */
export function isUnmeasured({ type, rtpParameters }: Pick<types.Consumer, 'type' | 'rtpParameters'>): boolean {
  const measures = ['transport-cc', 'goog-remb'];
  const feedback = rtpParameters.codecs.flatMap(({ rtcpFeedback = [] }) => rtcpFeedback);
  return type === 'simulcast' && !feedback.some(each => measures.includes(each.type));
}

/** Limits a consumer from now on until it closes. */
export function limitByLoss(consumer: types.Consumer, parts: Omit<LossLimitParts, 'count'>): LossLimit {
  const count = async (): Promise<SentPackets | undefined> => {
    const stats = await consumer.getStats();
    const own = stats.find(({ type }) => type === 'outbound-rtp');
    return own && { sent: own.packetCount, lost: own.packetsLost };
  };
  const limit = new LossLimit({ ...parts, count });
  consumer.on('layerschange', layers => limit.arrive(layers?.spatialLayer));
  consumer.on('score', ({ score }) => limit.rate(score));
  consumer.observer.once('close', () => limit.close());
  return limit;
}
