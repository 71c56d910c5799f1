import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { limitStatesSchema, presentLimits } from '../accounts/limits/account-limits.js';
import { AccountLimitsService } from '../accounts/limits/account-limits.service.js';
import { AccountsService } from '../accounts/account/accounts.service.js';
import { BalancesRepository } from '../accounts/balance/balances.repository.js';
import { balanceSchema, presentBalance } from '../accounts/balance/present-balance.js';
import { EntitlementsService, entitlementsSchema } from '../accounts/entitlements/entitlements.service.js';
import { AdministratorOnly } from '../platform/auth/auth.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../platform/http/api.decorators.js';
import { one } from '../platform/http/answers.js';
import { presentOne } from '../platform/http/present.js';
import { PlaybackLifecycleService } from '../media/playbacks/playback-lifecycle.service.js';
import { SetBalanceDto, SetEntitlementDto, SetLimitsDto } from './admin.dto.js';

@ApiTag({ name: 'Limits', description: 'How much an account may use at the same time.' })
@Controller('admin/v1/accounts/:accountID/limits')
@AdministratorOnly()
export class AdminLimitsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly limits: AccountLimitsService,
    private readonly playbacks: PlaybackLifecycleService,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'getLimits', summary: 'Read the limits of an account' })
  @ApiAnswer(one('limits', limitStatesSchema))
  async get(@Param('accountID') accountID: string) {
    await this.accounts.find(accountID);
    return presentOne('limits', presentLimits(await this.limits.read(accountID), this.limits.defaults));
  }

  @Put()
  @ApiOperation({
    operationId: 'setLimits',
    summary: 'Change the limits of an account',
    description: 'Changes only the limits that are sent. `null` restores the default.',
  })
  @ApiAnswer(one('limits', limitStatesSchema))
  async set(@Param('accountID') accountID: string, @Body() changes: SetLimitsDto) {
    await this.accounts.find(accountID);
    const limits = await this.limits.set(accountID, changes);
    await this.playbacks.announceLimits(accountID);
    return presentOne('limits', presentLimits(limits, this.limits.defaults));
  }
}

/** The entitlements and the minutes of an account. */
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
