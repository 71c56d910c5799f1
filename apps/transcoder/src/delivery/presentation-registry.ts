import { Inject, Injectable } from '@nestjs/common';
import type { Clock, Timer } from '@rtms/clock';
import type { Presentation } from '../jobs/hls/presentation.js';
import { CLOCK } from '../transcoder.tokens.js';

/** The presentations that this node serves, by broadcast. Whoever runs the jobs closes it, after them. */
@Injectable()
export class PresentationRegistry {
  private readonly presentations = new Map<string, Presentation>();
  private readonly retirements = new Map<Presentation, Timer>();

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** Takes the place of an earlier one of the same broadcast, which then lives no longer than this one. */
  put(presentation: Presentation): void {
    const earlier = this.presentations.get(presentation.broadcastID);
    if (earlier && earlier !== presentation) this.cancelRetirement(earlier);
    this.presentations.set(presentation.broadcastID, presentation);
  }

  get(broadcastID: string): Presentation | undefined {
    return this.presentations.get(broadcastID);
  }

  /** Nobody can fetch it any more and its files are deleted. Removing twice does no harm. */
  async remove(presentation: Presentation): Promise<void> {
    this.cancelRetirement(presentation);
    if (this.presentations.get(presentation.broadcastID) === presentation) {
      this.presentations.delete(presentation.broadcastID);
    }
    await presentation.close();
  }

  /** The broadcast is over: it ends now, and is removed when players had one window of time to fetch the rest. */
  retire(presentation: Presentation): void {
    presentation.end();
    if (this.retirements.has(presentation)) return;
    const { segmentSeconds, windowSegments } = presentation.options;
    const timer = this.clock.after(segmentSeconds * windowSegments * 1000, () => void this.remove(presentation));
    this.retirements.set(presentation, timer);
  }

  async close(): Promise<void> {
    await Promise.all([...this.presentations.values()].map(presentation => this.remove(presentation)));
  }

  private cancelRetirement(presentation: Presentation): void {
    this.retirements.get(presentation)?.cancel();
    this.retirements.delete(presentation);
  }
}
