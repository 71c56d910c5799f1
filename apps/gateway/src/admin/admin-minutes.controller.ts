import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import type { EntitlementStates } from '@rtms/contracts';
import { AccountsService } from '../accounts/accounts.service.js';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { BalancesService } from '../balance/balances.service.js';
import { balanceSchema, presentBalance, type PresentedBalance } from '../balance/present-balance.js';
import { entitlementsSchema } from '../entitlements/entitlements.js';
import { EntitlementsService } from '../entitlements/entitlements.service.js';
import { Answers, one } from '../http/answers.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import { SetBalanceDto, SetEntitlementDto } from './dto/minutes.dto.js';

type BalanceAnswer = OneAnswer<'balance', PresentedBalance>;
type EntitlementsAnswer = OneAnswer<'entitlements', EntitlementStates>;

/** What an account may use, and for how long. */
@Controller('admin/v1/accounts/:accountID')
@AdministratorOnly()
export class AdminMinutesController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly balances: BalancesService,
    private readonly entitlements: EntitlementsService,
  ) {}

  @Get('balance')
  @Answers(one('balance', balanceSchema))
  async getBalance(@Param('accountID') accountID: string): Promise<BalanceAnswer> {
    await this.accounts.find(accountID);
    return presentOne('balance', presentBalance(await this.balances.read(accountID)));
  }

  @Put('balance')
  @Answers(one('balance', balanceSchema))
  async setBalance(@Param('accountID') accountID: string, @Body() dto: SetBalanceDto): Promise<BalanceAnswer> {
    await this.accounts.find(accountID);
    const { type, meetingMinutes, recordingMinutes } = dto;
    await this.balances.set(accountID, type, { meetingMinutes, recordingMinutes });
    return this.getBalance(accountID);
  }

  @Get('entitlements')
  @Answers(one('entitlements', entitlementsSchema))
  async getEntitlements(@Param('accountID') accountID: string): Promise<EntitlementsAnswer> {
    await this.accounts.find(accountID);
    return presentOne('entitlements', await this.entitlements.read(accountID));
  }

  @Put('entitlements')
  @Answers(one('entitlements', entitlementsSchema))
  async setEntitlement(
    @Param('accountID') accountID: string,
    @Body() { entitlement, granted }: SetEntitlementDto,
  ): Promise<EntitlementsAnswer> {
    await this.accounts.find(accountID);
    return presentOne('entitlements', await this.entitlements.set(accountID, entitlement, granted));
  }
}
