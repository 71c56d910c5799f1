import { Controller, Get, Inject, Param } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { AccountsService } from '../accounts/account/accounts.service.js';
import { AdministratorOnly } from '../platform/auth/auth.decorators.js';
import { DisposableKeysService } from '../accounts/disposable-keys/disposable-keys.service.js';
import { disposableKeySchema, presentDisposableKey } from '../accounts/disposable-keys/disposable-key.dto.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../platform/http/api.decorators.js';
import { list } from '../platform/http/answers.js';
import { PageQuery, type Page } from '../platform/http/page.decorator.js';
import { presentList } from '../platform/http/present.js';
import { CLOCK } from '../platform/runtime/runtime.module.js';

/** Reads the disposable keys of an account. Only the owner creates and revokes them. */
@ApiTag({ name: 'Keys' })
@Controller('admin/v1/accounts/:accountID/disposable-keys')
@AdministratorOnly()
export class AdminDisposableKeysController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly keys: DisposableKeysService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listDisposableKeys',
    summary: 'List the disposable keys of an account',
    description: 'Newest first. The owner of the account creates and revokes them.',
  })
  @ApiAnswer(list('disposableKeys', disposableKeySchema))
  async list(@Param('accountID') accountID: string, @PageQuery() page: Page) {
    await this.accounts.find(accountID);
    const { items, total } = await this.keys.list(accountID, page);
    const presented = items.map(key => presentDisposableKey(key, this.clock.now()));
    return presentList('disposableKeys', presented, total, page);
  }
}
