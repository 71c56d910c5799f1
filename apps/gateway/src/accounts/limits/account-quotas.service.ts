import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { lockAccount } from '../account/accounts.repository.js';
import { currentPool, type PoolName } from '../../platform/database/connection-pools.js';
import { BatchLines } from '../../platform/jobs/work-lines.js';
import { accountLimits, type AccountLimit, type AccountLimitValues } from './account-limits.js';
import { AccountLimitsService } from './account-limits.service.js';

/** Counts how much of a limit an account uses, and says how much a request adds. */
export interface QuotaUse {
  limit: AccountLimit;
  count: (manager: EntityManager) => Promise<number>;
  /** Default: 1. */
  adding?: number;
  /** Every use of this limit counts the same rows, namely all of the account. So one count serves a whole batch. */
  ofAccount?: true;
}

/** A batch of 16 takes about 40 ms, so the last of 500 waits about 1.5 s. */
const longestLine = 500;
/** One slow addition delays only so many others. */
const batchSize = 16;

/** The resources that one request adds. `run` may be called again after a rollback. */
interface Addition {
  uses: readonly QuotaUse[];
  /** The work awaits nothing but its inserts. So the inserts of a batch are sent at once. */
  onlyInserts: boolean;
  run: (manager: EntityManager, limits: AccountLimitValues) => Promise<void>;
  refusal?: ServiceError | undefined;
}

/** Enforces the limits of accounts, see docs/decisions/additions-in-batches.md. */
@Injectable()
export class AccountQuotasService {
  /** A batch uses the pool of its additions. */
  private readonly lines: Record<PoolName, BatchLines<Addition>> = {
    requests: this.makeLines(),
    background: this.makeLines(),
  };

  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: AccountLimitsService,
  ) {}

  /**
   * Runs work that adds resources, in a transaction. Requests of one account wait here and not at the row lock in PostgreSQL, where each
   * would hold a connection of the pool. Those that wait at the same time share a transaction. If it fails, parts of it are tried, so the
   * work may run again after a rollback. Throws FORBIDDEN, `limit_reached`, or RATE_LIMITED, `too_many_waiting`.
   */
  async add<Result>(
    accountID: string,
    uses: readonly QuotaUse[],
    work: (manager: EntityManager, limits: AccountLimitValues) => Promise<Result>,
    { onlyInserts = false } = {},
  ): Promise<Result> {
    let result: Result | undefined;
    const run: Addition['run'] = async (manager, limits) => void (result = await work(manager, limits));
    // Bound, because its statements name the request that they belong to.
    const addition: Addition = { uses, onlyInserts, run: AsyncLocalStorage.bind(run) };
    await this.lines[currentPool()].add(accountID, addition);
    if (addition.refusal) throw addition.refusal;
    return result as Result;
  }

  /** A refused addition changes nothing, so the others go on. */
  private addTogether(accountID: string, additions: readonly Addition[]): Promise<void> {
    return this.dataSource.transaction(async manager => {
      const account = await this.lock(manager, accountID);
      for (const addition of additions) await account.add(addition);
      await account.allAdded();
    });
  }

  /**
   * Checks the limits in the caller's transaction and locks the account until it ends. Concurrent additions, on any replica, thus
   * count each other. Throws FORBIDDEN when the account was disabled meanwhile.
   */
  async require(manager: EntityManager, accountID: string, ...uses: QuotaUse[]): Promise<void> {
    const refusal = await (await this.lock(manager, accountID)).refusalOf(uses);
    if (refusal) throw refusal;
  }

  private makeLines(): BatchLines<Addition> {
    const handle = (accountID: string, additions: readonly Addition[]) => this.addTogether(accountID, additions);
    return new BatchLines({ longest: longestLine, size: batchSize, handle });
  }

  private async lock(manager: EntityManager, accountID: string): Promise<LockedAccount> {
    const state = await lockAccount(manager, accountID);
    return new LockedAccount(manager, await this.limits.read(accountID, manager), state === 'disabled');
  }
}

/** The use of limits in a transaction that holds the lock of the account. Until its end nobody else adds anything to the account. */
class LockedAccount {
  /** At least the number in use: the last count, and all that this transaction has added since. */
  private readonly mostUsed = new Map<AccountLimit, number>();
  /** All additions so far. */
  private added: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly manager: EntityManager,
    private readonly limits: AccountLimitValues,
    private readonly isDisabled: boolean,
  ) {}

  /** Runs an addition, or refuses it. One that only inserts need not have ended yet. */
  async add(addition: Addition): Promise<void> {
    addition.refusal = await this.refusalOf(addition.uses);
    if (addition.refusal) return;
    this.added = Promise.all([this.added, addition.run(this.manager, this.limits)]);
    // A failure meanwhile waits for the next `await this.added`.
    this.added.catch(() => undefined);
    if (!addition.onlyInserts) await this.added;
  }

  async allAdded(): Promise<void> {
    await this.added;
  }

  /** Returns undefined if the account may add all uses. */
  async refusalOf(uses: readonly QuotaUse[]): Promise<ServiceError | undefined> {
    if (this.isDisabled) return new ServiceError('account_disabled');
    for (const use of uses) {
      if (!(await this.fits(use))) return limitReached(use.limit, this.limits[use.limit]);
    }
    return undefined;
  }

  private async fits({ limit, count, adding = 1, ofAccount }: QuotaUse): Promise<boolean> {
    const most = this.limits[limit];
    let used = (ofAccount && this.mostUsed.get(limit)) ?? Infinity;
    // Resources may have ended since the last count, so only a new count can refuse.
    if (used + adding > most) {
      await this.added;
      used = await count(this.manager);
    }
    this.mostUsed.set(limit, used + adding);
    return used + adding <= most;
  }
}

function limitReached(limit: AccountLimit, value: number): ServiceError {
  const message = `This account has reached its limit ${limit}: ${value} ${accountLimits[limit].meaning}. End or delete some of them, or ask the platform's administrator for a higher limit.`;
  return new ServiceError('limit_reached', message, { limit: { name: limit, value } });
}
