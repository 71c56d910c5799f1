import { Injectable } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { lockAccount } from '../accounts/lock-account.js';
import { WorkLines } from '../background/work-lines.js';
import { accountLimits, type AccountLimit } from './account-limits.js';
import { AccountLimitsService } from './account-limits.service.js';

/** How an account’s use of a limited thing is counted, and how much is about to be added. */
export interface QuotaUse {
  limit: AccountLimit;
  /** Answers one row with the count as `used`. */
  statement: string;
  parameters: unknown[];
  /** Default: 1. */
  adding?: number;
}

/** One takes some 10 ms, so that the last one waits for some 5 s. */
const longestLine = 500;

/** Keeps an account from having more of a thing than it may. */
@Injectable()
export class AccountQuotas {
  private readonly lines = new WorkLines(longestLine);

  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: AccountLimitsService,
  ) {}

  /**
   * Runs work that adds something, in a transaction. Requests of one account wait here for each other and not at the lock in the
   * database, where each would wait with a connection of the pool. FORBIDDEN, `limit_reached`;
   * RATE_LIMITED, `too_many_waiting`, when too many wait.
   */
  add<Result>(
    accountID: string,
    uses: readonly QuotaUse[],
    work: (manager: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return this.lines.run(accountID, () =>
      this.dataSource.transaction(async manager => {
        await this.require(manager, accountID, ...uses);
        return work(manager);
      }),
    );
  }

  /**
   * Within a transaction of the caller's, which locks the account until its end: of several that add something, each counts what
   * the one before it added, on every replica. An account that is disabled meanwhile gets nothing new.
   */
  async require(manager: EntityManager, accountID: string, ...uses: QuotaUse[]): Promise<void> {
    const state = await lockAccount(manager, accountID);
    if (state === 'disabled') throw new ServiceError('account_disabled', 'This account is disabled.');
    const values = await this.limits.read(accountID, manager);
    for (const { limit, statement, parameters, adding = 1 } of uses) {
      const [row] = await manager.query<{ used: number }[]>(statement, parameters);
      if ((row?.used ?? 0) + adding > values[limit]) throw limitReached(limit, values[limit]);
    }
  }
}

function limitReached(limit: AccountLimit, value: number): ServiceError {
  const message = `The limit ${limit} of this account is reached: ${value} ${accountLimits[limit].meaning}. End or delete some, or ask the administrator of the platform for a higher limit.`;
  return new ServiceError('limit_reached', message, { limit: { name: limit, value } });
}
