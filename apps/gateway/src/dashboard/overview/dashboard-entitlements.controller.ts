import { Controller, Get } from '@nestjs/common';
import type { EntitlementsAnswer } from '@rtms/contracts';
import type { SignedIn } from '../../platform/auth/signed-in.decorators.js';
import { CurrentAccount, DashboardFor } from '../../platform/auth/signed-in.decorators.js';
import { entitlementsSchema } from '../../accounts/entitlements/entitlements.service.js';
import { EntitlementsService } from '../../accounts/entitlements/entitlements.service.js';
import { ApiAnswer, ApiOperation, ApiTag } from '../../platform/http/api.decorators.js';
import { one } from '../../platform/http/answers.js';
import { presentOne } from '../../platform/http/present.js';

type Account = NonNullable<SignedIn['account']>;

@ApiTag({ name: 'Entitlements', description: 'Entitlements of the account.' })
@Controller('dashboard/api/entitlements')
@DashboardFor('owner')
export class DashboardEntitlementsController {
  constructor(private readonly entitlements: EntitlementsService) {}

  @Get()
  @ApiOperation({ operationId: 'getEntitlements', summary: 'Read the entitlements of the account' })
  @ApiAnswer(one('entitlements', entitlementsSchema))
  async get(@CurrentAccount() { accountID }: Account): Promise<EntitlementsAnswer> {
    return presentOne('entitlements', await this.entitlements.read(accountID));
  }
}
