import { Controller } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../../platform/auth/auth.decorators.js';
import type { Caller } from '../../platform/auth/caller.js';
import { ReadAction } from '../../platform/http/action.decorator.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { one } from '../../platform/http/answers.js';
import { presentOne } from '../../platform/http/present.js';
import { BalancesRepository } from './balances.repository.js';
import { balanceSchema, presentBalance } from './present-balance.js';

@ApiTag({ name: 'Balance', description: 'Remaining minutes of the account.' })
@Controller('v1/balance')
export class BalanceController {
  constructor(private readonly balances: BalancesRepository) {}

  @ReadAction('get')
  @RequireOperation('readBalance')
  @ApiOperation({ operationId: 'getBalance', summary: 'Read the remaining minutes' })
  @ApiAnswer(one('balance', balanceSchema))
  async get(@CurrentCaller() { accountID }: Caller) {
    return presentOne('balance', presentBalance(await this.balances.read(accountID)));
  }
}
