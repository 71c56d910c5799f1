import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { CLOCK } from '../runtime/runtime.module.js';

/** Share of the time of the last portion. All sessions of a large node must be on other nodes within 10 s. */
const restShare = 0.5;

/** A portion that waits for a silent node takes seconds, but hardly any CPU. */
const longestRestMs = 250;

/**
 * Slows the repair of many resources, such as those of a lost node, so that requests have a third of the time. One portion at a time
 * leaves a core free on a machine with two.
 */
@Injectable()
export class Pace implements OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** A stopping gateway finishes its portions without a rest. */
  onModuleDestroy(): void {
    this.closing.abort();
  }

  /**
   * Acts on one portion after the other. Rests after each for half of its time, at most 250 ms. After a failure it continues and
   * rejects at the end with the first failure.
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
