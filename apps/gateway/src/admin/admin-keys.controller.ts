import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Query } from '@nestjs/common';
import type { Clock } from '@rtms/clock';
import { z } from 'zod';
import { AccountsService } from '../accounts/accounts.service.js';
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
  @Answers(one('key', issuedKeySchema), 'already_exists', 'name_taken', 'already_deleted')
  async create(@Param('accountID') accountID: string, @Body() dto: CreateKeyDto): Promise<IssuedKeyAnswer> {
    const { apiUserName } = await this.accounts.findKept(accountID);
    return presentIssuedKey(apiUserName, await this.keys.create(accountID, dto.type));
  }

  @AsksPassword()
  @IdempotentPost('rotate')
  @Answers(one('key', issuedKeySchema), 'already_deleted')
  async rotate(@Param('accountID') accountID: string, @Body() dto: RotateKeyDto): Promise<IssuedKeyAnswer> {
    const { apiUserName } = await this.accounts.findKept(accountID);
    return presentIssuedKey(
      apiUserName,
      await this.keys.rotate({ accountID, subUserID: null }, dto.type, dto.overlapHours ?? 0),
    );
  }

  /** The key is refused from the next request on, until it is enabled. */
  @IdempotentPost(':keyID/disable')
  @HttpCode(200)
  @Answers(one('key', keySchema), 'last_key')
  async disable(
    @Param('accountID') accountID: string,
    @Param('keyID') keyID: string,
    @Body() { force }: DisableKeyDto,
  ): Promise<KeyAnswer> {
    return presentMainKey(await this.keys.disable({ accountID, keyID }, force === true), this.clock.now());
  }

  @IdempotentPost(':keyID/enable')
  @HttpCode(200)
  @Answers(one('key', keySchema), 'already_revoked')
  async enable(@Param('accountID') accountID: string, @Param('keyID') keyID: string): Promise<KeyAnswer> {
    return presentMainKey(await this.keys.enable({ accountID, keyID }), this.clock.now());
  }

  /** Revokes the key for good; its record stays for the time of retention. Revoking it again changes nothing. */
  @Delete(':keyID')
  @Answers(one('key', keySchema), 'last_key')
  async delete(
    @Param('accountID') accountID: string,
    @Param('keyID') keyID: string,
    @Query() { force }: DeleteKeyDto,
  ): Promise<KeyAnswer> {
    return presentMainKey(await this.keys.revoke({ accountID, keyID }, force === 'true'), this.clock.now());
  }
}
