import type { MediaKind } from '@rtms/contracts';
import { Unwrapper } from './unwrap.js';

/**
 * One timeline for all tracks of a source. The arrival of the video anchors it. Once both tracks have sender reports, the
 * audio follows the reports.
 */
export class Timeline {
  private readonly clocks = new Map<MediaKind, MediaClock>();

  addTrack(kind: MediaKind, clockRate: number): void {
    this.clocks.set(kind, new MediaClock(clockRate));
  }

  /** ms since 1970 by this machine's clock. */
  timeOf(kind: MediaKind, rtpTimestamp: number, arrivalMs: number): number {
    return this.clock(kind).timeOf(rtpTimestamp, arrivalMs);
  }

  onSenderReport(kind: MediaKind, report: SenderReport): void {
    this.clock(kind).onSenderReport(report);
    const skew = this.anchor.reportSkew;
    const clocks = [...this.clocks.values()];
    if (skew === undefined || clocks.some(clock => clock.reportSkew === undefined)) return;
    for (const clock of clocks) if (clock !== this.anchor) clock.follow(skew);
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
/** Until a track first agrees with the reports. It began where its first packet arrived. */
const firstSlew = 0.1;
/**
 * An SFU reports when the latest packet arrived, so a late packet makes one report late, and none is early. The least of some
 * reports is right.
 */
const keptReports = 5;
/** A larger difference means that the sender has a new time base. Then the target applies at once. */
const jumpMs = 1000;

/**
 * Converts RTP timestamps of one track to wall-clock time. Uses the arrival time of the least delayed packet until the first
 * sender report, then the report's time.
 */
class MediaClock {
  private readonly timestamps = new Unwrapper(32);
  /** ms to add to the RTP time. */
  private offset: number | undefined;
  private target: number | undefined;
  /** ms to add to the RTP time for the sender's time, of the last reports. */
  private reportedOffsets: number[] = [];
  /** undefined before the first report. */
  private slew: number | undefined;
  private lastRtpMs: number | undefined;

  constructor(private readonly clockRate: number) {}

  /** Returns the media time, ms since 1970. */
  timeOf(rtpTimestamp: number, arrivalMs: number): number {
    const rtpMs = this.rtpMs(this.timestamps.unwrap(rtpTimestamp));
    const arrivalOffset = arrivalMs - rtpMs;
    this.offset ??= arrivalOffset;
    if (this.reportedOffset === undefined && arrivalOffset < this.offset) this.target = arrivalOffset;
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

  /** Follows the sender reports minus `skew` ms, so that all tracks use the receiver's clock. */
  follow(skew: number): void {
    if (this.reportedOffset === undefined) return;
    this.target = this.reportedOffset - skew;
    this.slew ??= firstSlew;
  }

  private approachTarget(rtpMs: number): void {
    const elapsed = Math.max(0, rtpMs - (this.lastRtpMs ?? rtpMs));
    this.lastRtpMs = rtpMs;
    if (this.target === undefined || this.offset === undefined) return;
    const difference = this.target - this.offset;
    const step = elapsed * (this.slew ?? usualSlew);
    const isReached = Math.abs(difference) <= step;
    this.offset = isReached || Math.abs(difference) > jumpMs ? this.target : this.offset + Math.sign(difference) * step;
    if (isReached && this.slew !== undefined) this.slew = usualSlew;
  }

  private rtpMs(timestamp: number): number {
    return (timestamp * 1000) / this.clockRate;
  }
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
