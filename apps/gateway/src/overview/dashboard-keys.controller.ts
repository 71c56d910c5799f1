import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { z } from 'zod';
import { ApiKeysService } from '../accounts/api-keys.service.js';
import {
  issuedKeySchema,
  keySchema,
  presentIssuedKey,
  presentKey,
  presentMainKey,
  type IssuedKeyAnswer,
  type KeyAnswer,
  type PresentedKey,
} from '../accounts/present-key.js';
import { CreateKeyDto, DeleteKeyDto, DisableKeyDto, RotateKeyDto } from '../accounts/dto/keys.dto.js';
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

  /** The key is refused from the next request on, until it is enabled. */
  @Post(':keyID/disable')
  @HttpCode(200)
  @Answers(one('key', keySchema), 'last_key')
  async disable(
    @CurrentAccount() { accountID }: Account,
    @Param('keyID') keyID: string,
    @Body() { force }: DisableKeyDto,
  ): Promise<KeyAnswer> {
    return presentMainKey(await this.keys.disable({ accountID, keyID }, force === true), this.clock.now());
  }

  @Post(':keyID/enable')
  @HttpCode(200)
  @Answers(one('key', keySchema), 'already_revoked')
  async enable(@CurrentAccount() { accountID }: Account, @Param('keyID') keyID: string): Promise<KeyAnswer> {
    return presentMainKey(await this.keys.enable({ accountID, keyID }), this.clock.now());
  }

  /** Revokes the key for good. Revoking it again changes nothing. */
  @Delete(':keyID')
  @Answers(one('key', keySchema), 'last_key')
  async delete(
    @CurrentAccount() { accountID }: Account,
    @Param('keyID') keyID: string,
    @Query() { force }: DeleteKeyDto,
  ): Promise<KeyAnswer> {
    return presentMainKey(await this.keys.revoke({ accountID, keyID }, force === 'true'), this.clock.now());
  }
}
