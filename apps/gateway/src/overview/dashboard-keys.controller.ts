import { Body, Controller, Get, Inject, Post } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { z } from 'zod';
import { ApiKeysService } from '../accounts/api-keys.service.js';
import {
  issuedKeySchema,
  keySchema,
  presentIssuedKey,
  presentKey,
  type IssuedKeyAnswer,
  type PresentedKey,
} from '../accounts/present-key.js';
import { CreateKeyDto, RotateKeyDto } from '../accounts/dto/keys.dto.js';
import type { SignedIn } from '../dashboard-sessions/dashboard-sessions.service.js';
import { CurrentAccount, DashboardFor } from '../dashboard-sessions/signed-in.decorators.js';
import { AsksPassword } from '../dashboard-sessions/recent-password.guard.js';
import { Answers, one } from '../http/answers.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import { CLOCK } from '../runtime.module.js';

type Account = NonNullable<SignedIn['account']>;

/** The account's main keys. A key itself stands in the answer that made it and nowhere else. */
@Controller('dashboard/api/keys')
@DashboardFor('owner')
export class DashboardKeysController {
  constructor(
    private readonly keys: ApiKeysService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Answers(one('keys', z.array(keySchema)))
  async list(@CurrentAccount() { accountID }: Account): Promise<OneAnswer<'keys', PresentedKey[]>> {
    const keys = await this.keys.list(accountID);
    return presentOne(
      'keys',
      keys.map(key => presentKey(key, this.clock.now())),
    );
  }

  @AsksPassword()
  @Post()
  @Answers(one('key', issuedKeySchema), 'name_taken')
  async create(
    @CurrentAccount() { accountID, apiUserName }: Account,
    @Body() { type }: CreateKeyDto,
  ): Promise<IssuedKeyAnswer> {
    return presentIssuedKey(apiUserName, await this.keys.create(accountID, type));
  }

  @AsksPassword()
  @Post('rotate')
  @Answers(one('key', issuedKeySchema))
  async rotate(
    @CurrentAccount() { accountID, apiUserName }: Account,
    @Body() { type, overlapHours }: RotateKeyDto,
  ): Promise<IssuedKeyAnswer> {
    const owner = { accountID, subUserID: null };
    return presentIssuedKey(apiUserName, await this.keys.rotate(owner, type, overlapHours ?? 0));
  }
}
