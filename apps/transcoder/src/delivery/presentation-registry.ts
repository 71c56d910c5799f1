import { Inject, Injectable } from '@nestjs/common';
import type { Clock, Timer } from '@rtms/clock';
import type { Presentation } from './presentation/presentation.js';
import { CLOCK } from '@rtms/node';

/** The presentations of this node, by broadcast. TranscoderWork closes it after the jobs. */
@Injectable()
export class PresentationRegistry {
  private readonly presentations = new Map<string, Presentation>();
  private readonly retirements = new Map<Presentation, Timer>();

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** Replaces an earlier presentation of the same broadcast and cancels its retirement. */
  put(presentation: Presentation): void {
    const earlier = this.presentations.get(presentation.broadcastID);
    if (earlier && earlier !== presentation) this.cancelRetirement(earlier);
    this.presentations.set(presentation.broadcastID, presentation);
  }

  get(broadcastID: string): Presentation | undefined {
    return this.presentations.get(broadcastID);
  }

  /** Removes the presentation and deletes its files. Safe to call twice. */
  async remove(presentation: Presentation): Promise<void> {
    this.cancelRetirement(presentation);
    if (this.presentations.get(presentation.broadcastID) === presentation) {
      this.presentations.delete(presentation.broadcastID);
    }
    await presentation.close();
  }

  /** Ends the presentation now and removes it later, so that players can fetch the rest. */
  retire(presentation: Presentation): void {
    presentation.end();
    if (this.retirements.has(presentation)) return;
    const timer = this.clock.after(presentation.retentionMs, () => void this.remove(presentation));
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
