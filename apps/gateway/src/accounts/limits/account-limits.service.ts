import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { SourceBounds } from '@rtms/contracts';
import { In, Repository, type EntityManager } from 'typeorm';
import { selectRows } from '../../platform/rows/plain-rows.js';
import { GATEWAY_CONFIG, type GatewayConfig } from '../../gateway.config.js';
import { AccountLimitRow } from './account-limit.entity.js';
import {
  accountLimitNames,
  defaultAccountLimits,
  type AccountLimit,
  type AccountLimitValues,
} from './account-limits.js';

/** `null` restores the default of the plan. */
export type LimitChanges = Partial<Record<AccountLimit, number | null>>;

@Injectable()
export class AccountLimitsService {
  /** The limits of the plan. */
  readonly defaults: AccountLimitValues;

  constructor(
    @InjectRepository(AccountLimitRow) private readonly rows: Repository<AccountLimitRow>,
    @Inject(GATEWAY_CONFIG) config: GatewayConfig,
  ) {
    this.defaults = { ...defaultAccountLimits, ...config.accountLimits };
  }

  /** Returns the limits in force. */
  async read(accountID: string, manager = this.rows.manager): Promise<AccountLimitValues> {
    return (await this.readAll([accountID], manager)).get(accountID) ?? { ...this.defaults };
  }

  /** Like `read`, for many accounts with one statement. */
  async readAll(
    accountIDs: readonly string[],
    manager: EntityManager = this.rows.manager,
  ): Promise<Map<string, AccountLimitValues>> {
    const all = new Map(accountIDs.map(accountID => [accountID, { ...this.defaults }]));
    // A newer gateway may have stored names that this one does not know.
    const rows = await selectRows(
      manager.getRepository(AccountLimitRow),
      'WHERE account_id = ANY($1) AND name = ANY($2)',
      [[...all.keys()], accountLimitNames],
    );
    for (const { accountID, name, value } of rows) {
      const limits = all.get(accountID);
      if (limits) limits[name] = value;
    }
    return all;
  }

  /** Returns the largest pictures that the transcoder decodes for the account. */
  async readSourceBounds(accountID: string): Promise<SourceBounds> {
    return sourceBoundsOf(await this.read(accountID));
  }

  /** Like `readSourceBounds`, for many accounts with one statement. */
  async readAllSourceBounds(accountIDs: readonly string[]): Promise<ReadonlyMap<string, SourceBounds>> {
    const all = await this.readAll(accountIDs);
    return new Map([...all].map(([accountID, limits]) => [accountID, sourceBoundsOf(limits)]));
  }

  async set(accountID: string, changes: LimitChanges): Promise<AccountLimitValues> {
    const reset = accountLimitNames.filter(name => changes[name] === null);
    const set = accountLimitNames.flatMap(name => {
      const value = changes[name] ?? undefined;
      return value === undefined ? [] : { accountID, name, value };
    });
    await this.rows.manager.transaction(async manager => {
      if (reset.length > 0) await manager.delete(AccountLimitRow, { accountID, name: In(reset) });
      if (set.length > 0) await manager.upsert(AccountLimitRow, set, ['accountID', 'name']);
    });
    return this.read(accountID);
  }
}

/** The largest pictures that the transcoder decodes. */
export function sourceBoundsOf({ sourcePixels, sourcePixelsPerSecond }: AccountLimitValues): SourceBounds {
  return { pixels: sourcePixels, pixelsPerSecond: sourcePixelsPerSecond };
}
