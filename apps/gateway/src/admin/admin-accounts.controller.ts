import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { PageQuery, type Page } from '../http/page.decorator.js';
import { presentList, presentOne, type ListAnswer, type OneAnswer } from '../http/present.js';
import { CreateAccountDto } from './dto/accounts.dto.js';
import { presentAccount, type PresentedAccount } from './present-account.js';

type AccountAnswer = OneAnswer<'account', PresentedAccount>;

@Controller('admin/v1/accounts')
@AdministratorOnly()
export class AdminAccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Post()
  async create(@Body() dto: CreateAccountDto): Promise<AccountAnswer> {
    return presentOne('account', presentAccount(await this.accounts.create(dto.name, dto.apiUserName)));
  }

  @Get()
  async list(@PageQuery() page: Page): Promise<ListAnswer<'accounts', PresentedAccount>> {
    const { items, total } = await this.accounts.list(page);
    return presentList('accounts', items.map(presentAccount), total, page);
  }

  @Get(':accountID')
  async get(@Param('accountID') accountID: string): Promise<AccountAnswer> {
    return presentOne('account', presentAccount(await this.accounts.find(accountID)));
  }

  @Post(':accountID/disable')
  @HttpCode(200)
  async disable(@Param('accountID') accountID: string): Promise<AccountAnswer> {
    return presentOne('account', presentAccount(await this.accounts.setState(accountID, 'disabled')));
  }

  @Post(':accountID/enable')
  @HttpCode(200)
  async enable(@Param('accountID') accountID: string): Promise<AccountAnswer> {
    return presentOne('account', presentAccount(await this.accounts.setState(accountID, 'active')));
  }
}
