import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Clock } from '@rtms/clock';
import { ServiceError } from '@rtms/contracts';
import { customAlphabet } from 'nanoid';
import { IsNull, Repository } from 'typeorm';
import { explainViolation } from '../../platform/database/database-errors.js';
import { listRows, type Listed, type Page } from '../../platform/rows/list-rows.js';
import { newID } from '../../platform/database/new-id.js';
import { CLOCK } from '../../platform/runtime/runtime.module.js';
import { Account } from './account.entity.js';
import type { AccountState } from '../../platform/auth/caller.js';

/** The first half of a credential. */
export const randomUserName = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 16);

const explain = explainViolation({
  accounts_api_user_name_key: ['name_taken', 'Another account has this API username.'],
});

@Injectable()
export class AccountsService {
  constructor(
    @InjectRepository(Account) private readonly accounts: Repository<Account>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Throws CONFLICT, `name_taken`, when another account has the API username. */
  async create(name: string, apiUserName = randomUserName()): Promise<Account> {
    const account = {
      id: newID('acct'),
      name,
      apiUserName,
      state: 'active' as const,
      createdAt: new Date(this.clock.now()),
      deletedAt: null,
    };
    await this.accounts.insert(account).catch(explain);
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

  /** Throws CONFLICT when it would enable a deleted account. */
  async setState(accountID: string, state: AccountState): Promise<Account> {
    await this.accounts.update({ id: accountID, deletedAt: IsNull() }, { state });
    const account = await this.find(accountID);
    if (account.deletedAt && state === 'active') throw alreadyDeleted();
    return account;
  }

  async rename(accountID: string, name: string): Promise<Account> {
    await this.accounts.update({ id: accountID }, { name });
    return this.find(accountID);
  }

  /** Disables the account; retention deletes its data later. Deleting it again changes nothing. */
  async delete(accountID: string): Promise<Account> {
    const deletedAt = new Date(this.clock.now());
    await this.accounts.update({ id: accountID, deletedAt: IsNull() }, { state: 'disabled', deletedAt });
    return this.find(accountID);
  }

  /** Undoes a deletion. The account stays disabled. */
  async restore(accountID: string): Promise<Account> {
    await this.accounts.update({ id: accountID }, { deletedAt: null });
    return this.find(accountID);
  }

  /** Like `find`, but throws CONFLICT for a deleted account. */
  async findKept(accountID: string): Promise<Account> {
    const account = await this.find(accountID);
    if (account.deletedAt) throw alreadyDeleted();
    return account;
  }

  /** Returns the oldest account that is not deleted. */
  first(): Promise<Account | null> {
    return this.accounts.findOne({ where: { deletedAt: IsNull() }, order: { createdAt: 'ASC' } });
  }
}

function alreadyDeleted(): ServiceError {
  return new ServiceError('already_deleted', 'This account was deleted. Restore it first.');
}
