import { Body, Controller, Get, Inject, Param } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { z } from 'zod';
import { AccountsService } from '../accounts/accounts.service.js';
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
import { AdministratorOnly } from '../auth/auth.decorators.js';
import { AsksPassword } from '../dashboard-sessions/recent-password.guard.js';
import { Answers, one } from '../http/answers.js';
import { presentOne, type OneAnswer } from '../http/present.js';
import { IdempotentPost } from '../idempotency/idempotent-post.decorator.js';
import { CLOCK } from '../runtime.module.js';

/** Main keys of an account. The key itself stands in the answer that made it and nowhere else. */
@Controller('admin/v1/accounts/:accountID/keys')
@AdministratorOnly()
export class AdminKeysController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly keys: ApiKeysService,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Answers(one('keys', z.array(keySchema)))
  async list(@Param('accountID') accountID: string): Promise<OneAnswer<'keys', PresentedKey[]>> {
    await this.accounts.find(accountID);
    const keys = await this.keys.list(accountID);
    return presentOne(
      'keys',
      keys.map(key => presentKey(key, this.clock.now())),
    );
  }

  @AsksPassword()
  @IdempotentPost()
  @Answers(one('key', issuedKeySchema), 'already_exists', 'name_taken')
  async create(@Param('accountID') accountID: string, @Body() dto: CreateKeyDto): Promise<IssuedKeyAnswer> {
    const { apiUserName } = await this.accounts.find(accountID);
    return presentIssuedKey(apiUserName, await this.keys.create(accountID, dto.type));
  }

  @AsksPassword()
  @IdempotentPost('rotate')
  @Answers(one('key', issuedKeySchema))
  async rotate(@Param('accountID') accountID: string, @Body() dto: RotateKeyDto): Promise<IssuedKeyAnswer> {
    const { apiUserName } = await this.accounts.find(accountID);
    return presentIssuedKey(
      apiUserName,
      await this.keys.rotate({ accountID, subUserID: null }, dto.type, dto.overlapHours ?? 0),
    );
  }
}
