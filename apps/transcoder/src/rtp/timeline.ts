import type { MediaKind } from '@rtms/contracts';
import { MediaClock } from './media-clock.js';
import type { SenderReport } from './sender-report.js';

/**
 * One timeline for the tracks of a source. It is anchored at the video's arrival; once both tracks have
 * sender reports, the audio moves to where the reports put it beside the video.
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

  /** The sender's own time of an instant of this timeline, where its reports tell it. */
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
