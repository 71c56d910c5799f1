import { Controller } from '@nestjs/common';
import { CurrentCaller, RequireOperation } from '../auth/auth.decorators.js';
import type { Caller } from '../auth/caller.js';
import { ReadAction } from '../http/action.decorator.js';
import { Answers, one } from '../http/answers.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import { BalancesService } from './balances.service.js';
import { balanceSchema, presentBalance, type PresentedBalance } from './present-balance.js';

@Controller('v1/balance')
export class BalanceController {
  constructor(private readonly balances: BalancesService) {}

  @ReadAction('get')
  @RequireOperation('readBalance')
  @Answers(one('balance', balanceSchema))
  async get(@CurrentCaller() { accountID }: Caller): Promise<OneAnswer<'balance', PresentedBalance>> {
    return presentOne('balance', presentBalance(await this.balances.read(accountID)));
  }
}
