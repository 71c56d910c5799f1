import type { TransportStats } from './transport.js';

/** Sums over all received tracks since the connection opened. */
interface Sums {
  at: number;
  bytes: number;
  packets: number;
  lost: number;
  jitterBufferSeconds: number;
  emitted: number;
}

const noSums: Sums = { at: 0, bytes: 0, packets: 0, lost: 0, jitterBufferSeconds: 0, emitted: 0 };

/** The values are those of at least this time. */
const intervalMs = 1_000;

/** The first picture follows the first sound within this time. */
const pictureWithinMs = 2_000;

/** Turns the counters of a connection into the values of the last second. */
export class WhepMeter {
  stats: TransportStats = {};
  private newestBytes = 0;
  private former = noSums;
  private startedAt: number | undefined;
  private isReady = false;

  /** Returns whether media has arrived since the last call, at first a picture. */
  take(report: RTCStatsReport | undefined, now: number): boolean {
    if (!report) return false;
    const inbound: RTCInboundRtpStreamStats[] = [];
    let roundTripSeconds: number | undefined;
    report.forEach((each: RTCStats) => {
      if (each.type === 'inbound-rtp') inbound.push(each as RTCInboundRtpStreamStats);
      const { nominated, currentRoundTripTime } = each as RTCIceCandidatePairStats;
      if (each.type === 'candidate-pair' && nominated) roundTripSeconds = currentRoundTripTime ?? roundTripSeconds;
    });
    const sums = sumsOf(inbound, now);
    if (now - this.former.at >= intervalMs) {
      this.stats = statsOf(inbound, sums, this.former, roundTripSeconds);
      this.former = sums;
    }
    const hasGrown = sums.bytes > this.newestBytes;
    this.newestBytes = sums.bytes;
    if (hasGrown) this.startedAt ??= now;
    return hasGrown && this.hasStarted(inbound, now);
  }

  /** A player that changes to this connection needs a picture, unless the source sends sound only. */
  private hasStarted(inbound: readonly RTCInboundRtpStreamStats[], now: number): boolean {
    const pictures = inbound.filter(({ kind }) => kind === 'video');
    const isLate = this.startedAt !== undefined && now - this.startedAt >= pictureWithinMs;
    this.isReady ||= isLate || pictures.every(({ framesDecoded = 0 }) => framesDecoded > 0);
    return this.isReady;
  }
}

function sumsOf(inbound: readonly RTCInboundRtpStreamStats[], at: number): Sums {
  const sum = (valueOf: (each: RTCInboundRtpStreamStats) => number | undefined): number =>
    inbound.reduce((total, each) => total + (valueOf(each) ?? 0), 0);
  return {
    at,
    bytes: sum(each => each.bytesReceived),
    packets: sum(each => each.packetsReceived),
    lost: sum(each => each.packetsLost),
    jitterBufferSeconds: sum(each => each.jitterBufferDelay),
    emitted: sum(each => each.jitterBufferEmittedCount),
  };
}

function statsOf(
  inbound: readonly RTCInboundRtpStreamStats[],
  now: Sums,
  before: Sums,
  roundTripSeconds = 0,
): TransportStats {
  const [lost, arrived] = [Math.max(0, now.lost - before.lost), now.packets - before.packets];
  const emitted = now.emitted - before.emitted;
  const buffered = emitted > 0 ? (now.jitterBufferSeconds - before.jitterBufferSeconds) / emitted : undefined;
  const picture = inbound.find(({ kind }) => kind === 'video');
  return {
    delayMs: buffered === undefined ? undefined : Math.round((roundTripSeconds / 2 + buffered) * 1000),
    loss: lost + arrived > 0 ? lost / (lost + arrived) : undefined,
    width: picture?.frameWidth,
    height: picture?.frameHeight,
  };
}
