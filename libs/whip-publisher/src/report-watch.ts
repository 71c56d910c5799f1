import { lateTicks, type Clock, type Timer } from '@rtms/clock';
import type { MediaKind } from '@rtms/contracts';

/**
 * A peer without RTCP for this long is dead. Receivers report on video at least every 1.5 s, and on audio at least every 7.5 s (RFC 3550
 * section 6.2, mediasoup). So a lost report raises no alarm. ICE consent notices a death only after 30 s.
 */
export const silentAfterMs: Readonly<Record<MediaKind, number>> = { audio: 10_000, video: 3_000 };
const lookEveryMs = 250;

/** Calls `onSilent` once when no report has come for `limitMs`. It waits for the first report, because a service may send none. */
export class ReportWatch {
  private heardAt: number | undefined;
  private readonly timer: Timer;

  constructor(
    private readonly clock: Clock,
    limitMs: number,
    onSilent: () => void,
  ) {
    const isLate = lateTicks(clock, lookEveryMs);
    this.timer = clock.every(lookEveryMs, () => {
      // This process was blocked, and packets may wait.
      if (isLate() && this.heardAt !== undefined) this.hear();
      if (this.heardAt === undefined || clock.now() - this.heardAt <= limitMs) return;
      this.close();
      onSilent();
    });
  }

  /** A report has come. */
  hear(): void {
    this.heardAt = this.clock.now();
  }

  /** Safe to call twice. */
  close(): void {
    this.timer.cancel();
  }
}
