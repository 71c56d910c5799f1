import { Injectable } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { lockAccount } from '../account/accounts.repository.js';
import { WorkLines } from '../../platform/jobs/work-lines.js';
import { accountLimits, type AccountLimit } from './account-limits.js';
import { AccountLimitsService } from './account-limits.service.js';

/** Counts how much of a limit an account uses, and says how much a request adds. */
export interface QuotaUse {
  limit: AccountLimit;
  count: (manager: EntityManager) => Promise<number>;
  /** Default: 1. */
  adding?: number;
}

/** A request takes about 10 ms, so the last of 500 waits about 5 s. */
const longestLine = 500;

/** Enforces the limits of accounts. */
@Injectable()
export class AccountQuotasService {
  private readonly lines = new WorkLines(longestLine);

  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: AccountLimitsService,
  ) {}

  /**
   * Runs work that adds resources, in a transaction. Requests of one account queue here and not at the row lock in PostgreSQL, where
   * each would hold a connection of the pool. Throws FORBIDDEN, `limit_reached`, or RATE_LIMITED, `too_many_waiting`.
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
   * Checks the limits in the caller's transaction and locks the account until it ends. Concurrent additions, on any replica, thus
   * count each other. Throws FORBIDDEN when the account was disabled meanwhile.
   */
  async require(manager: EntityManager, accountID: string, ...uses: QuotaUse[]): Promise<void> {
    const state = await lockAccount(manager, accountID);
    if (state === 'disabled') throw new ServiceError('account_disabled');
    const values = await this.limits.read(accountID, manager);
    for (const { limit, count, adding = 1 } of uses) {
      if ((await count(manager)) + adding > values[limit]) throw limitReached(limit, values[limit]);
    }
  }
}

function limitReached(limit: AccountLimit, value: number): ServiceError {
  const message = `This account has reached its limit ${limit}: ${value} ${accountLimits[limit].meaning}. End or delete some of them, or ask the platform's administrator for a higher limit.`;
  return new ServiceError('limit_reached', message, { limit: { name: limit, value } });
}
