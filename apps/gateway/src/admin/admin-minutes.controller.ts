import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { AccountsService } from '../accounts/account/accounts.service.js';
import { AdministratorOnly } from '../platform/auth/auth.decorators.js';
import { BalancesRepository } from '../accounts/balance/balances.repository.js';
import { balanceSchema, presentBalance } from '../accounts/balance/present-balance.js';
import { entitlementsSchema } from '../accounts/entitlements/entitlements.service.js';
import { EntitlementsService } from '../accounts/entitlements/entitlements.service.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../platform/http/api.decorators.js';
import { one } from '../platform/http/answers.js';
import { presentOne } from '../platform/http/present.js';
import { SetBalanceDto, SetEntitlementDto } from './admin.dto.js';

/** The features and the minutes of an account. */
@ApiTag({ name: 'Accounts' })
@Controller('admin/v1/accounts/:accountID')
@AdministratorOnly()
export class AdminMinutesController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly balances: BalancesRepository,
    private readonly entitlements: EntitlementsService,
  ) {}

  @Get('balance')
  @ApiOperation({ operationId: 'getAccountBalance', summary: 'Read the remaining minutes of an account' })
  @ApiAnswer(one('balance', balanceSchema))
  async getBalance(@Param('accountID') accountID: string) {
    await this.accounts.find(accountID);
    return presentOne('balance', presentBalance(await this.balances.read(accountID)));
  }

  @Put('balance')
  @ApiOperation({ operationId: 'setAccountBalance', summary: 'Set the remaining minutes of an account' })
  @ApiAnswer(one('balance', balanceSchema))
  async setBalance(@Param('accountID') accountID: string, @Body() dto: SetBalanceDto) {
    await this.accounts.find(accountID);
    const { type, meetingMinutes, recordingMinutes } = dto;
    await this.balances.set(accountID, type, { meetingMinutes, recordingMinutes });
    return this.getBalance(accountID);
  }

  @Get('entitlements')
  @ApiOperation({ operationId: 'getAccountEntitlements', summary: 'Read the entitlements of an account' })
  @ApiAnswer(one('entitlements', entitlementsSchema))
  async getEntitlements(@Param('accountID') accountID: string) {
    await this.accounts.find(accountID);
    return presentOne('entitlements', await this.entitlements.read(accountID));
  }

  @Put('entitlements')
  @ApiOperation({ operationId: 'setAccountEntitlement', summary: 'Grant or withdraw an entitlement' })
  @ApiAnswer(one('entitlements', entitlementsSchema))
  async setEntitlement(@Param('accountID') accountID: string, @Body() { entitlement, granted }: SetEntitlementDto) {
    await this.accounts.find(accountID);
    return presentOne('entitlements', await this.entitlements.set(accountID, entitlement, granted));
  }
}
