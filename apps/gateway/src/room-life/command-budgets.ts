import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { LRUCache } from 'lru-cache';
import { CLOCK } from '../runtime.module.js';

interface Budget {
  perSecond: number;
  /** Commands without a wait after a pause. */
  burst: number;
}

/** On each gateway replica. A command costs some 5 ms of processor time, here and in PostgreSQL. */
export const roomBudget: Budget = { perSecond: 50, burst: 100 };
export const accountBudget: Budget = { perSecond: 100, burst: 200 };

/** ms. A command that would wait longer is refused. */
export const longestWait = 3_000;

/** A budget that was not used for so many others is full again anyhow. */
const mostKnown = 10_000;

/** A bucket that may go into debt: the debt is the time that the next one waits. */
export class Pace {
  /** ms since 1970: until then all that was taken fills the rate. */
  private takenUntil = 0;

  constructor(private readonly budget: Budget) {}

  /** ms until one more may be taken. */
  wait(now: number): number {
    const { burst, perSecond } = this.budget;
    return Math.max(0, this.takenUntil - now - ((burst - 1) / perSecond) * 1000);
  }

  take(now: number): void {
    this.takenUntil = Math.max(this.takenUntil, now) + 1000 / this.budget.perSecond;
  }
}

/**
 * How many commands may change one room, and all rooms of one account. Each is a transaction under the lock of its room:
 * without a bound the members of one room would take the database from everybody else.
 */
@Injectable()
export class CommandBudgets {
  private readonly rooms = new LRUCache<string, Pace>({ max: mostKnown });
  private readonly accounts = new LRUCache<string, Pace>({ max: mostKnown });

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** Waits for the command's turn. Throws `rate_limited` where that takes longer than `longestWait`. */
  async turn({ accountID, meetingID }: { accountID: string; meetingID: string }): Promise<void> {
    const now = this.clock.now();
    const paces = [paceOf(this.rooms, meetingID, roomBudget), paceOf(this.accounts, accountID, accountBudget)];
    const wait = Math.max(...paces.map(pace => pace.wait(now)));
    if (wait > longestWait)
      throw new ServiceError('rate_limited', 'Too many commands in this room or account. Slow down.');
    for (const pace of paces) pace.take(now);
    if (wait > 0) await this.clock.pause(wait);
  }
}

function paceOf(known: LRUCache<string, Pace>, key: string, budget: Budget): Pace {
  const pace = known.get(key) ?? new Pace(budget);
  known.set(key, pace);
  return pace;
}
