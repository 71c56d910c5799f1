import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { LRUCache } from 'lru-cache';
import { CLOCK } from '../../platform/runtime/runtime.module.js';

interface Budget {
  perSecond: number;
  /** Commands that run without a wait after a pause. */
  burst: number;
}

/** The budget on each gateway replica. A command takes some 5 ms of CPU time in the gateway and PostgreSQL. */
export const roomBudget: Budget = { perSecond: 50, burst: 100 };
const accountBudget: Budget = { perSecond: 100, burst: 200 };

/** In milliseconds. A command that would wait longer is refused. */
const longestWait = 3_000;

/** The number of known rooms and accounts. The least recently used budget is full again when it is evicted. */
const mostKnown = 10_000;

/** A token bucket that may go into debt. The next command waits until the debt is paid. */
class TokenBucket {
  /** The time, in milliseconds since 1970, at which the taken commands are paid at the rate. */
  private takenUntil = 0;

  constructor(private readonly budget: Budget) {}

  /** Milliseconds until the next command may run. */
  wait(now: number): number {
    const { burst, perSecond } = this.budget;
    return Math.max(0, this.takenUntil - now - ((burst - 1) / perSecond) * 1000);
  }

  take(now: number): void {
    this.takenUntil = Math.max(this.takenUntil, now) + 1000 / this.budget.perSecond;
  }
}

/**
 * Limits the commands of each room and each account. A command is a transaction under the room's lock. Without a limit one
 * room could use up the database.
 */
@Injectable()
export class CommandBudgets {
  private readonly rooms = new LRUCache<string, TokenBucket>({ max: mostKnown });
  private readonly accounts = new LRUCache<string, TokenBucket>({ max: mostKnown });

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** Waits for the command's turn. Throws `rate_limited` when the wait is longer than `longestWait`. */
  async turn({ accountID, meetingID }: { accountID: string; meetingID: string }): Promise<void> {
    const now = this.clock.now();
    const buckets = [bucketOf(this.rooms, meetingID, roomBudget), bucketOf(this.accounts, accountID, accountBudget)];
    const wait = Math.max(...buckets.map(bucket => bucket.wait(now)));
    if (wait > longestWait)
      throw new ServiceError('rate_limited', 'Too many commands in this room or account. Slow down.');
    for (const bucket of buckets) bucket.take(now);
    if (wait > 0) await this.clock.pause(wait);
  }
}

function bucketOf(known: LRUCache<string, TokenBucket>, key: string, budget: Budget): TokenBucket {
  const bucket = known.get(key) ?? new TokenBucket(budget);
  known.set(key, bucket);
  return bucket;
}

interface AllowanceSettings extends Budget {
  /** Refusals in a row before the gateway closes the connection. */
  patience: number;
}

const ofConnection: AllowanceSettings = { burst: 60, perSecond: 20, patience: 100 };

/** Limits the commands of one connection. */
export class CommandAllowance {
  private readonly bucket: TokenBucket;
  private refusals = 0;

  constructor(private readonly settings = ofConnection) {
    this.bucket = new TokenBucket(settings);
  }

  /** `now` is in milliseconds. `disconnect`: the client ignored too many refusals. */
  take(now: number): 'allowed' | 'refused' | 'disconnect' {
    if (this.bucket.wait(now) === 0) {
      this.bucket.take(now);
      this.refusals = 0;
      return 'allowed';
    }
    this.refusals += 1;
    return this.refusals > this.settings.patience ? 'disconnect' : 'refused';
  }
}
