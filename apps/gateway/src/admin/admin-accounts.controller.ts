import { Body, Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { AccountsService } from '../accounts/account/accounts.service.js';
import { AdministratorOnly } from '../platform/auth/auth.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../platform/http/api.decorators.js';
import { list, one } from '../platform/http/answers.js';
import { PageQuery, type Page } from '../platform/http/page.decorator.js';
import { presentList, presentOne } from '../platform/http/present.js';
import { IdempotentPost } from '../platform/idempotency/idempotency.interceptor.js';
import { RoomEndingService } from '../rooms/ending/room-ending.service.js';
import { accountSchema, CreateAccountDto, presentAccount, RenameAccountDto } from '../accounts/account/account.dto.js';

@ApiTag({ name: 'Accounts', description: 'Accounts of the platform.' })
@Controller('admin/v1/accounts')
@AdministratorOnly()
export class AdminAccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly roomEnding: RoomEndingService,
  ) {}

  @IdempotentPost()
  @ApiOperation({ operationId: 'createAccount', summary: 'Create an account' })
  @ApiAnswer(one('account', accountSchema), 'name_taken')
  async create(@Body() dto: CreateAccountDto) {
    return presentOne('account', presentAccount(await this.accounts.create(dto.name, dto.apiUserName ?? undefined)));
  }

  @Get()
  @ApiOperation({ operationId: 'listAccounts', summary: 'List accounts', description: 'Newest first.' })
  @ApiAnswer(list('accounts', accountSchema))
  async list(@PageQuery() page: Page) {
    return presentList('accounts', await this.accounts.list(page), page, presentAccount);
  }

  @Get(':accountID')
  @ApiOperation({ operationId: 'getAccount', summary: 'Read an account' })
  @ApiAnswer(one('account', accountSchema))
  async get(@Param('accountID') accountID: string) {
    return presentOne('account', presentAccount(await this.accounts.find(accountID)));
  }

  @IdempotentPost(':accountID/disable')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'disableAccount',
    summary: 'Disable an account',
    description: 'The service refuses the keys of the account and ends its rooms and their media.',
  })
  @ApiAnswer(one('account', accountSchema))
  async disable(@Param('accountID') accountID: string) {
    const account = await this.accounts.setState(accountID, 'disabled');
    await this.roomEnding.endAllOf(accountID);
    return presentOne('account', presentAccount(account));
  }

  @IdempotentPost(':accountID/enable')
  @HttpCode(200)
  @ApiOperation({ operationId: 'enableAccount', summary: 'Enable an account' })
  @ApiAnswer(one('account', accountSchema), 'already_deleted')
  async enable(@Param('accountID') accountID: string) {
    return presentOne('account', presentAccount(await this.accounts.setState(accountID, 'active')));
  }

  @IdempotentPost(':accountID/rename')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'renameAccount',
    summary: 'Change the display name of an account',
    description: 'The API username stays the same.',
  })
  @ApiAnswer(one('account', accountSchema))
  async rename(@Param('accountID') accountID: string, @Body() { name }: RenameAccountDto) {
    return presentOne('account', presentAccount(await this.accounts.rename(accountID, name)));
  }

  @Delete(':accountID')
  @ApiOperation({
    operationId: 'deleteAccount',
    summary: 'Delete an account',
    description:
      'Disables the account and ends its rooms. After the retention time all its data is removed. Until then the account can be restored.',
  })
  @ApiAnswer(one('account', accountSchema))
  async delete(@Param('accountID') accountID: string) {
    const account = await this.accounts.delete(accountID);
    await this.roomEnding.endAllOf(accountID);
    return presentOne('account', presentAccount(account));
  }

  @IdempotentPost(':accountID/restore')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'restoreAccount',
    summary: 'Restore a deleted account',
    description: 'The account stays disabled until it is enabled.',
  })
  @ApiAnswer(one('account', accountSchema))
  async restore(@Param('accountID') accountID: string) {
    return presentOne('account', presentAccount(await this.accounts.restore(accountID)));
  }
}
