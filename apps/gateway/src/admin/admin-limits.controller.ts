import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { limitStatesSchema, presentLimits } from '../accounts/limits/account-limits.js';
import { AccountLimitsService } from '../accounts/limits/account-limits.service.js';
import { AccountsService } from '../accounts/account/accounts.service.js';
import { AdministratorOnly } from '../platform/auth/auth.decorators.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../platform/http/api.decorators.js';
import { one } from '../platform/http/answers.js';
import { presentOne } from '../platform/http/present.js';
import { ViewerLimitsService } from '../media/playbacks/viewer-limits.service.js';
import { SetLimitsDto } from './admin.dto.js';

@ApiTag({ name: 'Limits', description: 'How much an account may use at the same time.' })
@Controller('admin/v1/accounts/:accountID/limits')
@AdministratorOnly()
export class AdminLimitsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly limits: AccountLimitsService,
    private readonly viewerLimits: ViewerLimitsService,
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
    await this.viewerLimits.announce(accountID);
    return presentOne('limits', presentLimits(limits, this.limits.defaults));
  }
}
