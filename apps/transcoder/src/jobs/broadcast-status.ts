import { isDeepStrictEqual } from 'node:util';
import type { BroadcastFact, EndReason, Rendition } from '@rtms/contracts';

export type JobState = 'starting' | 'active' | 'interrupted' | 'ended';

/** Where a broadcast stands, and what is reported of it; nothing is after its end. */
export class BroadcastStatus {
  private current: JobState = 'starting';
  private reported: readonly Rendition[] = [];

  constructor(private readonly report: (fact: BroadcastFact) => void) {}

  get state(): JobState {
    return this.current;
  }

  get hasEnded(): boolean {
    return this.current === 'ended';
  }

  /** Players can fetch these; said again when they are others than before. */
  becomeActive(renditions: Rendition[]): void {
    const isKnown = this.current === 'active' && isDeepStrictEqual(renditions, this.reported);
    if (isKnown || this.hasEnded) return;
    this.current = 'active';
    this.reportActive(renditions);
  }

  reportActive(renditions: Rendition[]): void {
    this.reported = renditions;
    this.report({ type: 'broadcast.active', renditions });
  }

  /** Whoever asks for it knows; nothing is reported. */
  pause(): void {
    this.current = 'interrupted';
  }

  becomeInterrupted(reason: 'source_lost' | 'encoder_lost'): void {
    if (this.current !== 'active') return;
    this.current = 'interrupted';
    this.report({ type: 'broadcast.interrupted', reason });
  }

  fail(reason: EndReason): void {
    this.end();
    this.report({ type: 'broadcast.failed', reason });
  }

  end(): void {
    this.current = 'ended';
  }
}
