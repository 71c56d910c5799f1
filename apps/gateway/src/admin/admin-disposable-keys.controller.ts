import { Controller, Get, Inject, Param } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { AccountsService } from '../accounts/accounts.service.js';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { DisposableKeysService } from '../disposable-keys/disposable-keys.service.js';
import {
  disposableKeySchema,
  presentDisposableKey,
  type PresentedDisposableKey,
} from '../disposable-keys/present-disposable-key.js';
import { Answers, list } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { presentList, type ListAnswer } from '../http/present.js';
import { CLOCK } from '../runtime.module.js';

/** What an account has handed out; its owner makes and revokes them. */
@Controller('admin/v1/accounts/:accountID/disposable-keys')
@AdministratorOnly()
export class AdminDisposableKeysController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly keys: DisposableKeysService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Answers(list('disposableKeys', disposableKeySchema))
  async list(
    @Param('accountID') accountID: string,
    @PageQuery() page: Page,
  ): Promise<ListAnswer<'disposableKeys', PresentedDisposableKey>> {
    await this.accounts.find(accountID);
    const { items, total } = await this.keys.list(accountID, page);
    const presented = items.map(key => presentDisposableKey(key, this.clock.now()));
    return presentList('disposableKeys', presented, total, page);
  }
}
