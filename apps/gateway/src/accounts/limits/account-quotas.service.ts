import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { lockAccount } from '../account/accounts.repository.js';
import { currentPool, type PoolName } from '../../platform/database/connection-pools.js';
import { BatchLines, WorkLines } from '../../platform/jobs/work-lines.js';
import { accountLimits, type AccountLimit, type AccountLimitValues } from './account-limits.js';
import { AccountLimitsService } from './account-limits.service.js';

/** Counts how much of a limit an account uses, and says how much a request adds. */
export interface QuotaUse {
  limit: AccountLimit;
  count: (manager: EntityManager) => Promise<number>;
  /** Default: 1. */
  adding?: number;
}

/** An addition takes about 10 ms, so the last of 500 waits about 5 s. */
const longestLine = 500;
/** Bounds how many requests one slow insertion delays. */
const batchSize = 16;

/** One resource that a request inserts. */
interface Insertion {
  use: QuotaUse;
  run: (manager: EntityManager) => Promise<unknown>;
  refusal?: ServiceError | undefined;
}

/** Enforces the limits of accounts, see docs/decisions/insertions-in-batches.md. */
@Injectable()
export class AccountQuotasService {
  private readonly lines = new WorkLines(longestLine);
  /** A batch uses the pool of its insertions. */
  private readonly batches: Record<PoolName, BatchLines<Insertion>> = {
    requests: this.makeBatches(),
    background: this.makeBatches(),
  };

  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: AccountLimitsService,
  ) {}

  /**
   * Runs work that adds resources, in a transaction. Requests of one account wait here and not at the row lock in PostgreSQL, where each
   * would hold a connection of the pool. At most one of `add` and one batch of `insert` meet there. Throws FORBIDDEN, `limit_reached`, or
   * RATE_LIMITED, `too_many_waiting`.
   */
  add<Result>(
    accountID: string,
    uses: readonly QuotaUse[],
    work: (manager: EntityManager, limits: AccountLimitValues) => Promise<Result>,
  ): Promise<Result> {
    return this.lines.run(accountID, () =>
      this.dataSource.transaction(async manager => work(manager, await this.require(manager, accountID, ...uses))),
    );
  }

  /**
   * As `add`, for work that does nothing but insert rows of one resource. `use` counts all of the account. Insertions of an account that wait
   * at the same time share a transaction. If it fails, parts of it are tried, so the work may run again after a rollback.
   */
  async insert(accountID: string, use: QuotaUse, work: (manager: EntityManager) => Promise<unknown>): Promise<void> {
    // Bound, because its statements name the request that they belong to.
    const insertion: Insertion = { use, run: AsyncLocalStorage.bind(work) };
    await this.batches[currentPool()].add(accountID, insertion);
    if (insertion.refusal) throw insertion.refusal;
  }

  /**
   * Checks the limits in the caller's transaction and locks the account until it ends. Concurrent additions, on any replica, thus
   * count each other. Returns the limits. Throws FORBIDDEN when the account was disabled meanwhile.
   */
  async require(manager: EntityManager, accountID: string, ...uses: QuotaUse[]): Promise<AccountLimitValues> {
    const limits = await this.lock(manager, accountID);
    for (const { limit, count, adding = 1 } of uses) {
      if ((await count(manager)) + adding > limits[limit]) throw limitReached(limit, limits[limit]);
    }
    return limits;
  }

  /** Skips refused insertions and runs the others. */
  private insertTogether(accountID: string, insertions: readonly Insertion[]): Promise<void> {
    return this.dataSource.transaction(async manager => {
      const limits = await this.lock(manager, accountID);
      // Until the commit nobody else adds to the account, so one count serves all.
      const used = new Map<AccountLimit, number>();
      for (const insertion of insertions) {
        const { limit, count, adding = 1 } = insertion.use;
        const before = used.get(limit) ?? (await count(manager));
        const fits = before + adding <= limits[limit];
        insertion.refusal = fits ? undefined : limitReached(limit, limits[limit]);
        used.set(limit, fits ? before + adding : before);
      }
      const accepted = insertions.filter(({ refusal }) => !refusal);
      // All must have ended before the rollback: a later statement would be committed alone.
      const ends = await Promise.allSettled(accepted.map(({ run }) => run(manager)));
      const failed = ends.find(({ status }) => status === 'rejected');
      if (failed) throw (failed as PromiseRejectedResult).reason;
    });
  }

  private makeBatches(): BatchLines<Insertion> {
    const handle = (accountID: string, all: readonly Insertion[]) => this.insertTogether(accountID, all);
    return new BatchLines({ longest: longestLine, size: batchSize, handle });
  }

  private async lock(manager: EntityManager, accountID: string): Promise<AccountLimitValues> {
    const state = await lockAccount(manager, accountID);
    if (state === 'disabled') throw new ServiceError('account_disabled');
    return this.limits.read(accountID, manager);
  }
}

function limitReached(limit: AccountLimit, value: number): ServiceError {
  const message = `This account has reached its limit ${limit}: ${value} ${accountLimits[limit].meaning}. End or delete some of them, or ask the platform's administrator for a higher limit.`;
  return new ServiceError('limit_reached', message, { limit: { name: limit, value } });
}
