import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '@rtms/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { limitLockWaits, lockAccount } from '../account/accounts.repository.js';
import { isLockTimeout } from '../../platform/database/database-errors.js';
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
/** A batch gives up a lock that one of its rows waits for: its other rows do not need it, and PostgreSQL takes a statement for lost after 5 s. */
const lockWaitMs = 2_000;

/** Additions of one kind that may share a transaction: rooms, or external sessions. */
interface JointWork<Item, Facts> {
  /** Reads what the decisions about all items need. PostgreSQL runs its statements after it has locked the account. */
  read: (manager: EntityManager, accountID: string, items: readonly Item[]) => Promise<Facts>;
  /**
   * Decides about the items one after the other; an accepted item counts for the later ones. Throws the refusal of an item. Returns false
   * for an item that must be added alone, by `add`.
   */
  accept: (item: Item, facts: Facts, limits: AccountLimitValues) => boolean;
  insert: (manager: EntityManager, item: Item) => Promise<unknown>;
}

/** Adds items together with others of their account. */
export interface JointAdditions<Item> {
  /** Returns whether the item was added; false: `accept` said so. Throws as `AccountQuotasService.add`. */
  add(accountID: string, item: Item): Promise<boolean>;
}

/** One resource that a request adds. */
interface Addition<Item> {
  item: Item;
  insert: (manager: EntityManager) => Promise<unknown>;
  outcome?: 'accepted' | 'alone' | { refusal: unknown };
}

/** Enforces the limits of accounts, see docs/decisions/insertions-in-batches.md. */
@Injectable()
export class AccountQuotasService {
  private readonly lines = new WorkLines(longestLine);

  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: AccountLimitsService,
  ) {}

  /**
   * Runs work that adds resources, in a transaction. Requests of one account wait here and not at the row lock in PostgreSQL, where each
   * would hold a connection of the pool. At most one of `add` and one batch of each kind meet there. Throws FORBIDDEN, `limit_reached`, or
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
   * As `add`, for work that does little but insert rows. Additions of this kind to an account that wait at the same time share a
   * transaction. If it fails, parts of it are tried, so `accept` and `insert` may run again for an item after a rollback.
   */
  together<Item, Facts>(work: JointWork<Item, Facts>): JointAdditions<Item> {
    const handle = (accountID: string, all: readonly Addition<Item>[]) => this.addTogether(work, accountID, all);
    const batches = new BatchLines({ longest: longestLine, size: batchSize, handle });
    return {
      add: async (accountID, item) => {
        // Bound, because the statements name the request that they belong to.
        const insert = AsyncLocalStorage.bind((manager: EntityManager) => work.insert(manager, item));
        const addition: Addition<Item> = { item, insert };
        await batches.add(accountID, addition).catch((error: unknown) => {
          throw isLockTimeout(error) ? waitedTooLong() : error;
        });
        const { outcome } = addition;
        if (typeof outcome === 'object') throw outcome.refusal;
        return outcome === 'accepted';
      },
    };
  }

  /**
   * Checks the limits in the caller's transaction and locks the account until it ends. Concurrent additions, on any replica, thus
   * count each other. Returns the limits. Throws FORBIDDEN when the account was disabled meanwhile.
   */
  async require(manager: EntityManager, accountID: string, ...uses: QuotaUse[]): Promise<AccountLimitValues> {
    const limits = await this.lock(manager, accountID);
    for (const { limit, count, adding = 1 } of uses) {
      requireBelow(limits, limit, await count(manager), adding);
    }
    return limits;
  }

  /** Skips refused additions and makes the others. */
  private addTogether<Item, Facts>(
    { read, accept }: JointWork<Item, Facts>,
    accountID: string,
    additions: readonly Addition<Item>[],
  ): Promise<void> {
    return this.dataSource.transaction(async manager => {
      const items = additions.map(({ item }) => item);
      const [state, , limits, facts] = await allEnded([
        lockAccount(manager, accountID),
        limitLockWaits(manager, lockWaitMs),
        this.limits.read(accountID, manager),
        read(manager, accountID, items),
      ]);
      for (const addition of additions) {
        try {
          if (state === 'disabled') throw new ServiceError('account_disabled');
          // Until the commit nobody else adds to the account, so the facts hold for all.
          addition.outcome = accept(addition.item, facts, limits) ? 'accepted' : 'alone';
        } catch (refusal) {
          addition.outcome = { refusal };
        }
      }
      const accepted = additions.filter(({ outcome }) => outcome === 'accepted');
      await allEnded(accepted.map(({ insert }) => insert(manager)));
    });
  }

  private async lock(manager: EntityManager, accountID: string): Promise<AccountLimitValues> {
    const [state, limits] = await allEnded([lockAccount(manager, accountID), this.limits.read(accountID, manager)]);
    if (state === 'disabled') throw new ServiceError('account_disabled');
    return limits;
  }
}

/**
 * As `Promise.all` for statements of one transaction, which are sent at once and run in this order. Waits for all of them: a statement that
 * is sent after the rollback would be committed alone.
 */
async function allEnded<const Works extends readonly Promise<unknown>[]>(
  works: Works,
): Promise<{ -readonly [Index in keyof Works]: Awaited<Works[Index]> }> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

/** Throws FORBIDDEN, `limit_reached`, if the limit does not allow so many more. */
export function requireBelow(limits: AccountLimitValues, limit: AccountLimit, used: number, adding = 1): void {
  if (used + adding > limits[limit]) throw limitReached(limit, limits[limit]);
}

function waitedTooLong(): ServiceError {
  return new ServiceError('dependency_unavailable', 'Another change takes too long. Try again in a moment.');
}

function limitReached(limit: AccountLimit, value: number): ServiceError {
  const message = `This account has reached its limit ${limit}: ${value} ${accountLimits[limit].meaning}. End or delete some of them, or ask the platform's administrator for a higher limit.`;
  return new ServiceError('limit_reached', message, { limit: { name: limit, value } });
}
