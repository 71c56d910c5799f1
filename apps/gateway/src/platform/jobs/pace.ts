import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { CLOCK } from '../runtime/runtime.module.js';

/** Of the time that a portion took. All sessions of a large node must be with other nodes within 10 s. */
const restShare = 0.5;

/** A portion that waits for a node which does not answer takes seconds and hardly any CPU. */
const longestRestMs = 250;

/**
 * The pace of repairs of many resources, such as those of a node that died: requests have a third of the time to
 * themselves, however much there is to repair. One portion at a time leaves a core free on a machine of two.
 */
@Injectable()
export class Pace implements OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** A gateway that stops finishes what it has begun without a rest. */
  onModuleDestroy(): void {
    this.closing.abort();
  }

  /**
   * Acts on one portion after the other, with a rest between two that is half as long as the former took, 250 ms at most. A
   * failure keeps no other portion from its turn; the first one rejects at the end.
   */
  async through<Portion>(portions: Iterable<Portion>, act: (portion: Portion) => Promise<void>): Promise<void> {
    const failures: unknown[] = [];
    let restMs = 0;
    for (const portion of portions) {
      if (restMs > 0) await this.clock.pause(restMs, this.closing.signal);
      const begun = this.clock.now();
      await act(portion).catch((error: unknown) => void failures.push(error));
      restMs = Math.min(longestRestMs, restShare * (this.clock.now() - begun));
    }
    if (failures.length > 0) throw failures[0];
  }
}
