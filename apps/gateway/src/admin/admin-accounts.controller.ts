import { Body, Controller, Delete, Get, HttpCode, Param } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { Answers, list, one } from '../http/answers.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { presentList, presentOne, type ListAnswer, type OneAnswer } from '../http/present.js';
import { IdempotentPost } from '../idempotency/idempotent-post.decorator.js';
import { RoomEndingService } from '../room-ending/room-ending.service.js';
import { CreateAccountDto, RenameAccountDto } from './dto/accounts.dto.js';
import { accountSchema, presentAccount, type PresentedAccount } from './present-account.js';

type AccountAnswer = OneAnswer<'account', PresentedAccount>;

@Controller('admin/v1/accounts')
@AdministratorOnly()
export class AdminAccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly roomEnding: RoomEndingService,
  ) {}

  @IdempotentPost()
  @Answers(one('account', accountSchema), 'name_taken')
  async create(@Body() dto: CreateAccountDto): Promise<AccountAnswer> {
    return presentOne('account', presentAccount(await this.accounts.create(dto.name, dto.apiUserName ?? undefined)));
  }

  @Get()
  @Answers(list('accounts', accountSchema))
  async list(@PageQuery() page: Page): Promise<ListAnswer<'accounts', PresentedAccount>> {
    const { items, total } = await this.accounts.list(page);
    return presentList('accounts', items.map(presentAccount), total, page);
  }

  @Get(':accountID')
  @Answers(one('account', accountSchema))
  async get(@Param('accountID') accountID: string): Promise<AccountAnswer> {
    return presentOne('account', presentAccount(await this.accounts.find(accountID)));
  }

  /** From here on its keys are refused; its rooms end, and all that runs in them. */
  @IdempotentPost(':accountID/disable')
  @HttpCode(200)
  @Answers(one('account', accountSchema))
  async disable(@Param('accountID') accountID: string): Promise<AccountAnswer> {
    const account = await this.accounts.setState(accountID, 'disabled');
    await this.roomEnding.endAllOf(accountID);
    return presentOne('account', presentAccount(account));
  }

  @IdempotentPost(':accountID/enable')
  @HttpCode(200)
  @Answers(one('account', accountSchema), 'already_deleted')
  async enable(@Param('accountID') accountID: string): Promise<AccountAnswer> {
    return presentOne('account', presentAccount(await this.accounts.setState(accountID, 'active')));
  }

  /** Changes the name that people see; the API username stays. */
  @IdempotentPost(':accountID/rename')
  @HttpCode(200)
  @Answers(one('account', accountSchema))
  async rename(@Param('accountID') accountID: string, @Body() { name }: RenameAccountDto): Promise<AccountAnswer> {
    return presentOne('account', presentAccount(await this.accounts.rename(accountID, name)));
  }

  /** As `disable`. After the time of retention all data of the account is removed; until then the account can be restored. */
  @Delete(':accountID')
  @Answers(one('account', accountSchema))
  async delete(@Param('accountID') accountID: string): Promise<AccountAnswer> {
    const account = await this.accounts.delete(accountID);
    await this.roomEnding.endAllOf(accountID);
    return presentOne('account', presentAccount(account));
  }

  /** Takes a deletion back. The account stays disabled until it is enabled. */
  @IdempotentPost(':accountID/restore')
  @HttpCode(200)
  @Answers(one('account', accountSchema))
  async restore(@Param('accountID') accountID: string): Promise<AccountAnswer> {
    return presentOne('account', presentAccount(await this.accounts.restore(accountID)));
  }
}
