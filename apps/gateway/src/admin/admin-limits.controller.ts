import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { limitStatesSchema, presentLimits, type LimitStates } from '../account-limits/account-limits.js';
import { AccountLimitsService } from '../account-limits/account-limits.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { Answers, one } from '../http/answers.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import { ViewerLimitsService } from '../playbacks/viewer-limits.service.js';
import { SetLimitsDto } from './dto/limits.dto.js';

type LimitsAnswer = OneAnswer<'limits', LimitStates>;

/** How much an account may have at a time. */
@Controller('admin/v1/accounts/:accountID/limits')
@AdministratorOnly()
export class AdminLimitsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly limits: AccountLimitsService,
    private readonly viewerLimits: ViewerLimitsService,
  ) {}

  @Get()
  @Answers(one('limits', limitStatesSchema))
  async get(@Param('accountID') accountID: string): Promise<LimitsAnswer> {
    await this.accounts.find(accountID);
    return presentOne('limits', presentLimits(await this.limits.read(accountID), this.limits.defaults));
  }

  /** Changes the limits that are sent; null goes back to the plan's default. */
  @Put()
  @Answers(one('limits', limitStatesSchema))
  async set(@Param('accountID') accountID: string, @Body() changes: SetLimitsDto): Promise<LimitsAnswer> {
    await this.accounts.find(accountID);
    const limits = await this.limits.set(accountID, changes);
    await this.viewerLimits.announce(accountID);
    return presentOne('limits', presentLimits(limits, this.limits.defaults));
  }
}
