import type { MediaKind } from '@rtms/contracts';
import { Unwrapper } from './unwrap.js';

/**
 * One timeline for all tracks of a source. The arrival of the video anchors it. The audio follows by the arrival of both: a publisher or a
 * network that becomes slower delays both alike, so only packets of the same second are compared.
 */
export class Timeline {
  private readonly clocks = new Map<MediaKind, MediaClock>();

  addTrack(kind: MediaKind, clockRate: number): void {
    this.clocks.set(kind, new MediaClock(clockRate));
  }

  /** ms since 1970 by this machine's clock. */
  timeOf(kind: MediaKind, rtpTimestamp: number, arrivalMs: number): number {
    const clock = this.clock(kind);
    const { anchor } = this;
    const isFirst = !clock.hasBegun;
    const time = clock.timeOf(rtpTimestamp, arrivalMs);
    if (clock !== anchor) clock.follow(anchor, arrivalMs);
    else if (isFirst) for (const other of this.clocks.values()) if (other !== anchor) other.beginAnew(arrivalMs);
    return time;
  }

  onSenderReport(kind: MediaKind, report: SenderReport): void {
    this.clock(kind).onSenderReport(report);
  }

  /** Returns the sender's time for a time of this timeline (ms); the same time without sender reports. */
  senderTimeOf(timeMs: number): number {
    return timeMs + (this.anchor.reportSkew ?? 0);
  }

  private get anchor(): MediaClock {
    return this.clocks.get('video') ?? this.clock('audio');
  }

  private clock(kind: MediaKind): MediaClock {
    const clock = this.clocks.get(kind);
    if (!clock) throw new Error(`the timeline has no ${kind} track`);
    return clock;
  }
}

/** Correction per ms of media, too small to hear or see. */
const usualSlew = 0.005;
/**
 * Until a track agrees with the anchor, after three seconds. It began where its first packet arrived, which a busy machine may have read a
 * second late. The first seconds also tell too little: most of three are right.
 */
const firstSlew = 0.5;
const firstMs = 3_000;
/** Nobody hears or sees a smaller difference, and each correction stretches sound. */
const toleratedMs = 5;
/** An SFU reports when the latest packet arrived, so a late packet makes one report late, and none is early. The least of some is right. */
const keptReports = 5;
/** A larger difference means that the sender has a new time base. Then the target applies at once. */
const jumpMs = 1000;

/** Converts RTP timestamps of one track to wall-clock time, by the arrival of the least delayed packet. */
class MediaClock {
  private readonly timestamps = new Unwrapper(32);
  private readonly arrivals = new Arrivals();
  /** ms to add to the RTP time. */
  private offset: number | undefined;
  private target: number | undefined;
  /** ms to add to the RTP time for the sender's time, of the last reports. */
  private reportedOffsets: number[] = [];
  private slew = usualSlew;
  private lastRtpMs: number | undefined;
  private followedIn: number | undefined;
  /** undefined before the track follows another one. */
  private followsSince: number | undefined;

  constructor(private readonly clockRate: number) {}

  get hasBegun(): boolean {
    return this.offset !== undefined;
  }

  /** Returns the media time, ms since 1970. */
  timeOf(rtpTimestamp: number, arrivalMs: number): number {
    const rtpMs = this.rtpMs(this.timestamps.unwrap(rtpTimestamp));
    const arrivalOffset = arrivalMs - rtpMs;
    this.arrivals.add(arrivalOffset, arrivalMs);
    this.offset ??= arrivalOffset;
    const isFree = this.reportedOffset === undefined && this.followsSince === undefined;
    if (isFree && arrivalOffset < this.offset) this.target = arrivalOffset;
    this.approachTarget(rtpMs);
    return rtpMs + this.offset;
  }

  onSenderReport(report: SenderReport): void {
    const reported = report.ntpTimeMs - this.rtpMs(this.timestamps.peek(report.rtpTimestamp));
    const hasNewBase = Math.abs(reported - (this.reportedOffsets.at(-1) ?? reported)) > jumpMs;
    this.reportedOffsets = [...(hasNewBase ? [] : this.reportedOffsets), reported].slice(-keptReports);
  }

  private get reportedOffset(): number | undefined {
    return this.reportedOffsets.length === 0 ? undefined : Math.min(...this.reportedOffsets);
  }

  /** ms by which the sender's clock is ahead; undefined before the first report or packet. */
  get reportSkew(): number | undefined {
    if (this.reportedOffset === undefined || this.offset === undefined) return undefined;
    return this.reportedOffset - this.offset;
  }

  /** The anchor begins now. Jobs drop audio before the first picture, so the delay of former packets needs no correction. */
  beginAnew(now: number): void {
    const recent = this.arrivals.leastSince(now - recentMs);
    if (this.offset === undefined || recent === undefined || recent < this.offset) return;
    this.offset = recent;
    this.target = undefined;
  }

  /** Moves towards the offset at which packets of both tracks that arrived in the same second belong together. */
  follow(anchor: MediaClock, now: number): void {
    if (anchor.offset === undefined || this.followedIn === partOf(now)) return;
    this.followedIn = partOf(now);
    const difference = this.arrivals.differenceTo(anchor.arrivals, now);
    if (difference === undefined) return;
    const target = anchor.offset + difference;
    const agrees = Math.abs(target - (this.offset ?? target)) <= toleratedMs;
    this.target = agrees ? undefined : target;
    this.slew = this.followsSince === undefined ? firstSlew : this.slew;
    this.followsSince ??= now;
    if (agrees && now - this.followsSince >= firstMs) this.slew = usualSlew;
  }

  private approachTarget(rtpMs: number): void {
    const elapsed = Math.max(0, rtpMs - (this.lastRtpMs ?? rtpMs));
    this.lastRtpMs = rtpMs;
    if (this.target === undefined || this.offset === undefined) return;
    const difference = this.target - this.offset;
    const step = elapsed * this.slew;
    const isReached = Math.abs(difference) <= step;
    this.offset = isReached || Math.abs(difference) > jumpMs ? this.target : this.offset + Math.sign(difference) * step;
  }

  private rtpMs(timestamp: number): number {
    return (timestamp * 1000) / this.clockRate;
  }
}

/** Arrivals are kept for parts of a second. */
const partMs = 250;
const recentMs = 500;
/** So long that a video of few pictures, and a busy machine, have a punctual packet in it. */
const spanMs = 1_000;
/** Two tracks belong together as they did in most of so many spans. */
const keptSpans = 10;

function partOf(now: number): number {
  return Math.floor(now / partMs);
}

interface Part {
  at: number;
  /** The least difference between arrival and RTP time, ms. */
  least: number;
}

/** Which packets of the last seconds were punctual. */
class Arrivals {
  private readonly parts: Part[] = [];

  add(offset: number, now: number): void {
    const at = partOf(now) * partMs;
    const part = this.parts.at(-1);
    if (part?.at === at) part.least = Math.min(part.least, offset);
    else this.parts.push({ at, least: offset });
    if (this.parts.length > (keptSpans * spanMs) / partMs) this.parts.shift();
  }

  leastSince(from: number): number | undefined {
    return leastOf(this.parts.filter(({ at }) => at >= from));
  }

  /** The median over the last spans in which both have packets; undefined without such a span. */
  differenceTo(other: Arrivals, now: number): number | undefined {
    const differences = Array.from({ length: keptSpans }, (_, back) => {
      const isIn = ({ at }: Part): boolean => at >= now - (back + 1) * spanMs && at < now - back * spanMs;
      const [own, others] = [this.parts.filter(isIn), other.parts.filter(isIn)];
      const least = leastOf(own.filter(part => others.some(({ at }) => at === part.at)));
      const leastOfOthers = leastOf(others.filter(part => own.some(({ at }) => at === part.at)));
      return least === undefined || leastOfOthers === undefined ? [] : [least - leastOfOthers];
    }).flat();
    const [latest = 0] = differences;
    const same = differences.filter(each => Math.abs(each - latest) <= jumpMs).sort((a, b) => a - b);
    return same[same.length >> 1];
  }
}

function leastOf(parts: readonly Part[]): number | undefined {
  return parts.length === 0 ? undefined : Math.min(...parts.map(({ least }) => least));
}

/** Times of an RTCP sender report (RFC 3550, 6.4.1). Both describe the same instant. */
export interface SenderReport {
  ssrc: number;
  /** ms since 1970, by the sender's clock. */
  ntpTimeMs: number;
  /** 32 bits. */
  rtpTimestamp: number;
}

const senderReportType = 200;
const senderReportLength = 28;
/** Seconds from 1900 (NTP) to 1970. */
const ntpEpochOffset = 2_208_988_800;

/** Returns the sender reports of a compound RTCP datagram. Skips other and malformed packets. */
export function parseSenderReports(datagram: Buffer): SenderReport[] {
  const reports: SenderReport[] = [];
  for (let offset = 0; offset + 4 <= datagram.length;) {
    const length = 4 * (datagram.readUInt16BE(offset + 2) + 1);
    const report = parseSenderReport(datagram.subarray(offset, offset + length));
    if (report) reports.push(report);
    offset += length;
  }
  return reports;
}

function parseSenderReport(part: Buffer): SenderReport | undefined {
  if (part.length < senderReportLength || part[0]! >> 6 !== 2 || part[1] !== senderReportType) return undefined;
  const seconds = part.readUInt32BE(8) - ntpEpochOffset;
  const fraction = part.readUInt32BE(12) / 2 ** 32;
  return { ssrc: part.readUInt32BE(4), ntpTimeMs: (seconds + fraction) * 1000, rtpTimestamp: part.readUInt32BE(16) };
}
