import type { Clock } from '@rtms/clock';
import { LRUCache } from 'lru-cache';

interface Refusal {
  reason: string;
  waitMs: number;
  /** Before this time there is no other attempt. */
  until: number;
}

const firstWaitMs = 1_000;
const longestWaitMs = 30_000;
/** Refusals of more sources than this forget the oldest ones, whose attempts then begin anew. */
const mostRefusals = 10_000;

/**
 * The refusals of recordings that start by themselves. Each attempt at a transcoder stores a row and deletes it, so attempts become rarer:
 * after one second, then two, up to thirty.
 */
export class StartRefusals {
  private readonly refusals: LRUCache<string, Refusal>;

  constructor(
    private readonly clock: Clock,
    max = mostRefusals,
  ) {
    this.refusals = new LRUCache({ max });
  }

  /** The reason of the last refusal; undefined: the next attempt is due. */
  waiting(sourceID: string): string | undefined {
    const refusal = this.refusals.get(sourceID);
    return refusal && this.clock.now() < refusal.until ? refusal.reason : undefined;
  }

  /** Returns whether the reason is new for this source. `isCheap`: the refused attempt stored nothing, so the next one is due at once. */
  note(sourceID: string, reason: string, isCheap: boolean): boolean {
    const former = this.refusals.get(sourceID);
    const waitMs = isCheap ? 0 : Math.min(longestWaitMs, Math.max(firstWaitMs, 2 * (former?.waitMs ?? 0)));
    this.refusals.set(sourceID, { reason, waitMs, until: this.clock.now() + waitMs });
    return former?.reason !== reason;
  }

  forget(sourceID: string): void {
    this.refusals.delete(sourceID);
  }
}
