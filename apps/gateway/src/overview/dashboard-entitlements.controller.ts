import { Controller, Get } from '@nestjs/common';
import type { EntitlementsAnswer } from '@rtms/contracts';
import type { SignedIn } from '../dashboard-sessions/dashboard-sessions.service.js';
import { CurrentAccount, DashboardFor } from '../dashboard-sessions/signed-in.decorators.js';
import { entitlementsSchema } from '../entitlements/entitlements.js';
import { EntitlementsService } from '../entitlements/entitlements.service.js';
import { Answers, one } from '../http/answers.js';
import { presentOne } from '../http/present.js';

type Account = NonNullable<SignedIn['account']>;

@Controller('dashboard/api/entitlements')
@DashboardFor('owner')
export class DashboardEntitlementsController {
  constructor(private readonly entitlements: EntitlementsService) {}

  @Get()
  @Answers(one('entitlements', entitlementsSchema))
  async get(@CurrentAccount() { accountID }: Account): Promise<EntitlementsAnswer> {
    return presentOne('entitlements', await this.entitlements.read(accountID));
  }
}
