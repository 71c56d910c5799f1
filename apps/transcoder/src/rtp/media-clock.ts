import type { SenderReport } from './sender-report.js';
import { Unwrapper } from './unwrap.js';

/** How far a track's times move towards their target, per ms of media: too little to hear or see. */
const slewPerMs = 0.005;
/** Beyond this the target is simply taken: the sender has a new time base. */
const jumpMs = 1000;

/**
 * Tells the wall-clock time of one track's RTP timestamps. Until sender reports are known the time of
 * arrival stands for it (the least delayed packet wins); afterwards the report's time does.
 */
export class MediaClock {
  private readonly timestamps = new Unwrapper(32);
  /** ms to add to the RTP time. */
  private offset: number | undefined;
  private target: number | undefined;
  private reportedOffset: number | undefined;
  private lastRtpMs: number | undefined;

  constructor(private readonly clockRate: number) {}

  /** ms since 1970 of the packet's media. */
  timeOf(rtpTimestamp: number, arrivalMs: number): number {
    const rtpMs = this.rtpMs(this.timestamps.unwrap(rtpTimestamp));
    const arrivalOffset = arrivalMs - rtpMs;
    this.offset ??= arrivalOffset;
    if (this.reportedOffset === undefined && arrivalOffset < this.offset) this.target = arrivalOffset;
    this.approachTarget(rtpMs);
    return rtpMs + this.offset;
  }

  onSenderReport(report: SenderReport): void {
    this.reportedOffset = report.ntpTimeMs - this.rtpMs(this.timestamps.peek(report.rtpTimestamp));
  }

  /** ms that the report's clock is ahead of the arrival's; undefined before the first report or packet. */
  get reportSkew(): number | undefined {
    if (this.reportedOffset === undefined || this.offset === undefined) return undefined;
    return this.reportedOffset - this.offset;
  }

  /** Follow the sender reports, `skew` ms taken off so that all tracks stay on one receiver's clock. */
  follow(skew: number): void {
    if (this.reportedOffset !== undefined) this.target = this.reportedOffset - skew;
  }

  private approachTarget(rtpMs: number): void {
    const elapsed = Math.max(0, rtpMs - (this.lastRtpMs ?? rtpMs));
    this.lastRtpMs = rtpMs;
    if (this.target === undefined || this.offset === undefined) return;
    const difference = this.target - this.offset;
    const step = Math.abs(difference) > jumpMs ? Math.abs(difference) : elapsed * slewPerMs;
    this.offset += Math.sign(difference) * Math.min(Math.abs(difference), step);
  }

  private rtpMs(timestamp: number): number {
    return (timestamp * 1000) / this.clockRate;
  }
}
