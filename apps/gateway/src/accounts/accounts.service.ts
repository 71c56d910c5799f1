import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { customAlphabet } from 'nanoid';
import { Repository } from 'typeorm';
import { isUniqueViolation } from '../database/database-errors.js';
import { listRows } from '../database/list-rows.js';
import type { Page } from '../http/page.decorator.js';
import type { Listed } from '../http/present.js';
import { newID } from '../ids/new-id.js';
import { CLOCK } from '../runtime.module.js';
import { Account, type AccountState } from './account.entity.js';

/** First half of a credential. */
export const randomUserName = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 16);

@Injectable()
export class AccountsService {
  constructor(
    @InjectRepository(Account) private readonly accounts: Repository<Account>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** CONFLICT when another account has the API username. */
  async create(name: string, apiUserName = randomUserName()): Promise<Account> {
    const account = {
      id: newID('acct'),
      name,
      apiUserName,
      state: 'active' as const,
      createdAt: new Date(this.clock.now()),
    };
    await this.accounts.insert(account).catch((error: unknown) => {
      if (!isUniqueViolation(error, 'accounts_api_user_name_key')) throw error;
      throw new ServiceError('name_taken', 'Another account has this API username.');
    });
    return account;
  }

  async find(accountID: string): Promise<Account> {
    const account = await this.accounts.findOneBy({ id: accountID });
    if (!account) throw new ServiceError('not_found', 'There is no such account.');
    return account;
  }

  list(page: Page): Promise<Listed<Account>> {
    return listRows(this.accounts, {}, page);
  }

  async setState(accountID: string, state: AccountState): Promise<Account> {
    await this.accounts.update({ id: accountID }, { state });
    return this.find(accountID);
  }

  /** The oldest account; undefined when there is none. */
  async first(): Promise<Account | undefined> {
    const [account] = await this.accounts.find({ order: { createdAt: 'ASC' }, take: 1 });
    return account;
  }
}
